import { Type } from 'typebox'
import { readPackageUrl, toPackageUrl } from '#analysis/registries/package-url.ts'
import { single, singleQuery } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { explainPath } from '#foundation/http/refusals.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import { problemCodes } from '#foundation/problem-codes.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import { PackageIssue, PackageMeta, toPackageMeta } from './package-issue-resource.ts'
import { collectIssues, findDoubts, findNamedPackage, MAX_ISSUES, type RequestedPackage } from './package-issues.ts'

const tags = ['Package tests']
const access = { org: ['org.read'] } as const
const MAX_PURLS = 1_000
const MAX_PURL_LENGTH = 2_000

const PackageIssues = Type.Object({
  jsonapi: Type.Object({ version: Type.Literal('1.0') }),
  data: Type.Array(PackageIssue),
  links: Type.Object({ self: Type.String() }),
  meta: Type.Object({
    package: Type.Optional(PackageMeta),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String(),
          status: Type.String(),
          code: Type.String(),
          title: Type.String(),
          detail: Type.String(),
          source: Type.Object({ pointer: Type.String() }),
        }),
        { description: 'Package URLs that were not looked up, or only in part' },
      ),
    ),
  }),
})

const PurlsInput = Type.Object({
  data: Type.Object({
    type: Type.Optional(Type.String()),
    attributes: Type.Object({
      purls: Type.Array(Type.String({ maxLength: MAX_PURL_LENGTH }), {
        maxItems: MAX_PURLS,
        description: 'Package URLs with versions',
      }),
    }),
  }),
})

nameSchemas({ PackageIssues, PurlsInput })

/** The issues of packages by package URL, for tools that process bills of materials. Dependencies are not included. */
export function packageIssueRoutes(holder: AdvisoryHolder): Routes {
  return (scope) => {
    oneRoute(scope, holder)
    manyRoute(scope, holder)
  }
}

function oneRoute(scope: Server, holder: AdvisoryHolder): void {
  explainPath(scope, {
    pattern: /\/packages\/pkg:[^/]+\/.*\/issues$/,
    remedy: '. The path is /orgs/{org_id}/packages/{purl}/issues; encode the package URL, its slashes as %2F',
  })
  defineOperation(scope, {
    id: 'listPackageIssues',
    at: 'GET /orgs/:org_id/packages/:purl/issues',
    summary: 'List the issues of a package version',
    description: 'Issues of the package itself, without those of its dependencies.',
    tags,
    access,
    releases: ['2022-06-29~beta', '2022-09-15', '2024-06-26', '2025-11-05'],
    params: Type.Object({
      org_id: Type.String({ format: 'uuid' }),
      purl: Type.String({ maxLength: MAX_PURL_LENGTH, description: 'An encoded package URL with a version' }),
    }),
    query: singleQuery({
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_ISSUES, description: 'Issues to skip' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Issues to return; default: 1000' })),
    }),
    response: { 200: PackageIssues },
    handler: async (request) => {
      const { offset = 0, limit = 1000 } = request.query
      const { advisories, release } = holder.acquire()
      try {
        const requested = findNamedPackage(request.params.purl, advisories)
        const issues = await collectIssues([requested], advisories)
        const doubts = findDoubts(request.params.purl, requested, { advisories, listed: noNames })
        const errors = doubts.map((doubt) => toError(doubt, { id: request.id, purl: request.params.purl, pointer: '' }))
        const meta = { package: toPackageMeta(requested), ...(errors.length > 0 && { errors }) }
        return { ...single(request, issues.slice(offset, offset + limit)), meta }
      } finally {
        release()
      }
    },
  })
}

function manyRoute(scope: Server, holder: AdvisoryHolder): void {
  defineOperation(scope, {
    id: 'listIssuesOfPackages',
    at: 'POST /orgs/:org_id/packages/issues',
    summary: 'List the issues of package versions',
    description: `Up to ${MAX_PURLS} package URLs. \`meta.errors\` lists those that were not looked up, or only in part.`,
    tags,
    access,
    releases: ['2023-01-04~experimental', '2023-03-29~beta', '2023-04-17', '2023-08-21', '2024-06-26', '2025-11-05'],
    body: PurlsInput,
    response: { 200: PackageIssues },
    handler: async (request) => {
      const { purls } = request.body.data.attributes
      const { advisories, release } = holder.acquire()
      try {
        const packages = new Map<string, RequestedPackage>()
        const listed = new Set(purls.flatMap(namesOfGo))
        const errors = [...new Set(purls)].flatMap((purl) => {
          const place = { id: request.id, purl, pointer: `/data/attributes/purls/${purls.indexOf(purl)}` }
          try {
            const requested = findNamedPackage(purl, advisories)
            const url = toPackageUrl(requested.registry, requested.package)
            const modules = [...(packages.get(url)?.modules ?? []), ...requested.modules]
            packages.set(url, { ...requested, modules: [...new Set(modules)] })
            return findDoubts(purl, requested, { advisories, listed }).map((doubt) => toError(doubt, place))
          } catch (error) {
            if (!(error instanceof Problem)) throw error
            return [toError(error, place)]
          }
        })
        const issues = await collectIssues([...packages.values()], advisories)
        return { ...single(request, issues), meta: errors.length > 0 ? { errors } : {} }
      } finally {
        release()
      }
    },
  })
}

const noNames: ReadonlySet<string> = new Set()

function namesOfGo(purl: string): string[] {
  const result = readPackageUrl(purl)
  return 'registry' in result && result.registry === 'Go' ? [result.package.name] : []
}

function toError(
  { status, code, message }: Problem,
  { id, purl, pointer }: { id: string; purl: string; pointer: string },
) {
  return {
    id,
    status: String(status),
    code,
    title: problemCodes[code].title,
    detail: `${purl}: ${message}`,
    source: { pointer },
  }
}
