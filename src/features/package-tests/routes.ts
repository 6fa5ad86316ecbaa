import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import type { Config } from '#foundation/config.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { toSubject } from './files.ts'
import type { TestFacts, TestTask } from './messages.ts'
import type { TestMetrics } from './metrics.ts'
import type { TestPool } from './pool.ts'
import { PythonQuery, RepositoriesQuery, TestQuery, TestRequest, TestResult } from './resource.ts'

const access = { orgOfQuery: ['org.read', 'org.package.test'] } as const

/** `POST /test/<id>` and `GET /test/<id>/…` for every ecosystem there is. */
export function packageTestRoutes({ now, config }: Services, pool: TestPool, metrics: TestMetrics): Routes {
  async function answer(reply: FastifyReply, task: TestTask): Promise<FastifyReply> {
    const timer = metrics.begin(task.ecosystem)
    const answered = await pool.run(task)
    if ('problem' in answered) {
      timer('refused')
      throw new Problem(answered.problem.code, answered.problem.faults)
    }
    timer(answered.facts.issues > 0 ? 'issues' : answered.facts.complete ? 'clean' : 'partial')
    return reply
      .headers(headersOf(answered.facts, now()))
      .type('application/json; charset=utf-8')
      .send(Buffer.from(answered.body.buffer, answered.body.byteOffset, answered.body.byteLength))
  }

  return (scope) => {
    for (const ecosystem of ecosystems) {
      const { id, coordinates } = ecosystem
      const querystring = queryOf(ecosystem)
      scope.post(
        `/test/${id}`,
        {
          config: { access },
          schema: {
            operationId: `test${capitalised(id)}`,
            summary: `Test a ${id} project by its manifest and lockfile`,
            tags: ['Package tests'],
            querystring,
            body: TestRequest,
            response: { 200: TestResult },
          },
        },
        async (request, reply) => {
          const subject = toSubject(request.body)
          return answer(reply, {
            ecosystem: id,
            subject,
            org: toOrg(orgOf(request)),
            ...toChoices(request.query, config),
          })
        },
      )
      if (coordinates === undefined) continue
      scope.get(
        `/test/${id}/${coordinates.parameters.map((parameter) => `:${parameter}`).join('/')}/:version`,
        {
          config: { access },
          schema: {
            operationId: `test${capitalised(id)}Package`,
            summary: `Test a published ${id} package`,
            tags: ['Package tests'],
            params: Type.Object(
              Object.fromEntries(
                [...coordinates.parameters, 'version'].map((parameter) => [
                  parameter,
                  Type.String({ minLength: 1, maxLength: 500 }),
                ]),
              ),
            ),
            querystring,
            response: { 200: TestResult },
          },
        },
        async (request, reply) => {
          const params = request.params as Record<string, string>
          const found = { name: coordinates.toName(params), version: params['version']! }
          const subject = { kind: 'package', package: found } as const
          return answer(reply, {
            ecosystem: id,
            subject,
            org: toOrg(orgOf(request)),
            ...toChoices(request.query, config),
          })
        },
      )
    }
  }
}

function toOrg({ id, name }: TestTask['org']): TestTask['org'] {
  return { id, name }
}

function queryOf({ takesRepositories, takesPython }: Ecosystem) {
  if (takesPython) return PythonQuery
  return takesRepositories ? RepositoriesQuery : TestQuery
}

function toChoices(query: RepositoriesQuery & PythonQuery, config: Config) {
  const { acceptPartial = false, includeDev = false, repository = [], pythonVersion, pythonPlatform } = query
  const python = {
    version: pythonVersion ?? config.pythonVersion,
    platform: pythonPlatform ?? config.pythonPlatform,
  }
  return { acceptPartial, includeDev, repositories: repository, python }
}

/** What a script can read without parsing the body: whether all was tested, and with which advisories. */
function headersOf({ complete, advisories }: TestFacts, now: number): Record<string, string> {
  return {
    'gatehouse-coverage': complete ? 'complete' : 'partial',
    'gatehouse-advisories': advisories.digest,
    'gatehouse-advisories-age-seconds': String(Math.max(0, Math.round((now - advisories.builtAt) / 1000))),
    ...(advisories.isStarterSet && { 'gatehouse-advisories-set': 'starter' }),
  }
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
