import { Type } from 'typebox'
import type { Config } from '#foundation/config.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { TestPool } from '#scanning/pool/test-pool.ts'
import { waitingOf } from '#scanning/pool/waiting-client.ts'
import { serverPython } from '#scanning/reading/server-python.ts'
import type { TestTask } from '#scanning/reading/task.ts'
import { type TestResult, Vulnerability } from '#scanning/results/test-result.ts'
import { TestQuery } from './resource.ts'

/**
 * The vulnerabilities of a published package, without the rest of a test. npm clients request them before an
 * installation.
 */
export function packageVulnerabilityRoutes(config: Config, pool: TestPool): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'listNpmPackageVulnerabilities',
      at: 'GET /vuln/npm/:package',
      summary: 'List the vulnerabilities of a published npm package',
      description: 'Prefer the tests of packages, which also list unresolved dependencies.',
      tags: ['Package tests'],
      access: { orgOfQuery: ['org.read', 'org.package.test'] },
      params: Type.Object({
        package: Type.String({ minLength: 1, maxLength: 500, description: 'The package as name@version' }),
      }),
      query: Type.Object({
        org: TestQuery.properties.org,
        severityThreshold: TestQuery.properties.severityThreshold,
      }),
      response: {
        200: Type.Object({
          ok: Type.Boolean({ description: 'No known vulnerability, and all dependencies were resolved' }),
          vulnerabilities: Type.Array(Vulnerability),
        }),
      },
      handler: async (request, reply) => {
        const { id, name } = orgOf(request)
        const { severityThreshold } = request.query
        const task: TestTask = {
          ecosystem: 'npm',
          subject: { kind: 'package', package: toPackage(request.params.package) },
          form: 'json',
          org: { id, name },
          licensePolicy: undefined,
          acceptPartial: false,
          includeDev: false,
          repositories: [],
          ...(severityThreshold !== undefined && { severityThreshold }),
          python: serverPython(config),
        }
        const answered = await pool.run(task, waitingOf(request, reply))
        if ('problem' in answered) throw new Problem(answered.problem.code, answered.problem.faults)
        const { ok, issues } = JSON.parse(new TextDecoder().decode(answered.body)) as TestResult
        return { ok, vulnerabilities: issues.vulnerabilities }
      },
    })
  }
}

function toPackage(text: string): { name: string; version: string } {
  const at = text.lastIndexOf('@')
  if (at > 0 && at < text.length - 1) return { name: text.slice(0, at), version: text.slice(at + 1) }
  throw new Problem('invalid-request', 'The package must be written name@version', { source: { parameter: 'package' } })
}
