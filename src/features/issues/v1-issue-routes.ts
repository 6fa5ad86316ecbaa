import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { splitName } from '#analysis/findings/describe-fix.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import { noIssues } from '../issue-index/severity-counts.ts'
import { findTest } from '../projects/history-store.ts'
import { linkHeader, type NumberedPage, pageLinks, pageQuery, toOffset } from '../projects/numbered-pages.ts'
import { getPathProject } from '../projects/path-project.ts'
import type { ProjectRow } from '../projects/store.ts'
import { readTexts } from './advisory-texts.ts'
import { aggregateIssues } from './aggregate-issues.ts'
import { adviseOnPath, findUpgrade } from './fix-info.ts'
import { toIgnoreReason } from './ignore-reason.ts'
import { issueUrl } from './issue-url.ts'
import { listOldIssues } from './old-issues.ts'
import { ignoresOfPath, listIgnoresByIssue } from './path-ignores.ts'
import { type IssuePlace, managerOfPlace, type ProjectIssue, type ReadIssues } from './project-issues.ts'
import { createProjectPaths, type ProjectPaths } from './project-paths.ts'
import { readTriageOfProject } from './project-triage.ts'
import { findIssuesWithSafeAdvice } from './safe-advice.ts'
import { AggregatedIssues, IssuePaths, IssuesInput, OldIssues, optionalBody } from './v1-issue-resource.ts'

const tags = ['Projects']
const base = '/org/:orgId/project/:projectId'
const ofProject = { orgId: Type.String(), projectId: Type.String() }
const IssueId = Type.String({ minLength: 1, maxLength: 2000 })
const SnapshotId = Type.String({ maxLength: 100, description: 'A test of the history, or `latest`' })
const reads = { org: ['org.project.read', 'org.project.snapshot.read'] } as const
const readsHistory = { org: ['org.read', 'org.project.read', 'org.project.snapshot.read'] } as const
const Snapshots = 'Issues are stored for the last test only; the history has the counts of earlier tests.'

/** Issues on a page, if a page is requested without its size. */
const PER_PAGE = 100
const wholeOrPage = {
  perPage: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: `Number of items on a page; default: ${PER_PAGE}` }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Number of the page' })),
}

/** Maximum number of paths searched per package. */
const MAX_PATHS = 1000

interface Tools {
  readonly services: Services
  readonly advisories: AdvisoryHolder
}

export function v1IssueRoutes(services: Services, advisories: AdvisoryHolder): Routes {
  const tools = { services, advisories }
  return (scope) => {
    aggregatedRoutes(scope, tools)
    oldIssuesRoute(scope, tools)
    pathRoutes(scope, tools)
  }
}

function aggregatedRoutes(scope: Server, tools: Tools): void {
  const schema = { tags, body: optionalBody(IssuesInput), response: { 200: AggregatedIssues } }
  defineOperation(scope, {
    id: 'listAggregatedIssuesV1',
    at: `POST ${base}/aggregated-issues`,
    ...schema,
    summary: 'List a project’s issues, one entry per issue and package',
    description: 'Returns all issues, or a page if one is requested (an extension).',
    access: reads,
    params: Type.Object(ofProject),
    query: Type.Object(wholeOrPage),
    handler: async (request) => aggregated(tools, request, { input: request.body ?? {}, at: request.query }),
  })
  defineOperation(scope, {
    id: 'listAggregatedIssuesOfSnapshotV1',
    at: `POST ${base}/history/:snapshotId/aggregated-issues`,
    ...schema,
    summary: 'List the issues of a project’s last test',
    description: Snapshots,
    access: readsHistory,
    params: Type.Object({ ...ofProject, snapshotId: SnapshotId }),
    handler: async (request) => {
      await requireLatest(tools.services, request, request.params.snapshotId)
      return aggregated(tools, request, { input: request.body ?? {}, at: {} })
    },
  })
}

interface Asked {
  /** Filters from the body; ignores unknown members, which existing clients send. */
  readonly input: Static<typeof IssuesInput>
  readonly at: { readonly page?: number; readonly perPage?: number }
}

async function aggregated(tools: Tools, request: FastifyRequest, { input, at }: Asked) {
  const { db, baseUrl, now } = tools.services
  const project = await getPathProject(db, request)
  const read = await findIssuesWithSafeAdvice(db, project, { now: now(), advisories: tools.advisories })
  const { page = 1, perPage = PER_PAGE } = at
  const isPaged = at.page !== undefined || at.perPage !== undefined
  if (!read) return { issues: [], ...(isPaged && { total: 0, counts: { ...noIssues }, links: {} }) }
  const ignores = await listIgnoresByIssue(tools.services, project.number, read.issues)
  const pathsUrl = (id: string) => `${projectApi(baseUrl, project)}/issue/${encodeURIComponent(id)}/paths`
  const result = aggregateIssues({
    read,
    input,
    ...(isPaged && {
      part: { offset: toOffset({ page, perPage }), limit: perPage },
      triageOf: await readTriageOfProject(db, project),
    }),
    ignores,
    textsOf: (issues) => textsOf(tools, { ...read, issues }),
    issueUrl: (id) => issueUrl(baseUrl, id),
    pathsUrl,
  })
  if (!isPaged) return { issues: result.issues }
  const links = pageLinks(new URL(`${baseUrl}${request.url}`).href, { page, perPage }, result.total)
  return { ...result, links: { ...links } }
}

function projectApi(baseUrl: string, { org_id, id }: ProjectRow): string {
  return `${baseUrl}/v1/org/${org_id}/project/${id}`
}

function textsOf({ advisories }: Tools, { manager, issues }: ReadIssues) {
  return readTexts(advisories, { manager, issues: issues.filter(({ type }) => type === 'vuln') })
}

function oldIssuesRoute(scope: Server, tools: Tools): void {
  defineOperation(scope, {
    id: 'listIssuesV1',
    at: `POST ${base}/issues`,
    summary: 'List a project’s issues with each of their paths',
    description: 'The older format, for clients that do not use aggregated-issues.',
    tags,
    access: reads,
    params: Type.Object(ofProject),
    body: optionalBody(IssuesInput),
    response: { 200: OldIssues },
    handler: async (request) => {
      const { db, baseUrl, now } = tools.services
      const project = await getPathProject(db, request)
      const read = await findIssuesWithSafeAdvice(db, project, { now: now(), advisories: tools.advisories })
      const dependencyCount = project.total_dependencies
      if (!read) {
        const issues = { vulnerabilities: [], licenses: [] }
        return { ok: true, packageManager: project.type, dependencyCount, issues }
      }
      return listOldIssues(read, {
        filters: request.body?.filters ?? {},
        ignores: await listIgnoresByIssue(tools.services, project.number, read.issues),
        texts: textsOf(tools, read),
        dependencyCount,
        issueUrl: (id) => issueUrl(baseUrl, id),
      })
    },
  })
}

function pathRoutes(scope: Server, tools: Tools): void {
  const { services } = tools
  const query = pageQuery({ perPage: MAX_PATHS, most: 1000 })
  const response = { 200: IssuePaths }
  defineOperation(scope, {
    id: 'listIssuePathsV1',
    at: `GET ${base}/issue/:issueId/paths`,
    summary: 'List the dependency paths to an issue, the shortest first',
    description: Snapshots,
    tags,
    access: reads,
    params: Type.Object({ ...ofProject, issueId: IssueId }),
    query: Type.Object({ snapshotId: Type.Optional(SnapshotId), ...query }),
    response,
    handler: async (request, reply) => {
      await requireLatest(services, request, request.query.snapshotId ?? 'latest')
      const result = await findPaths(tools, request, request.query)
      return reply.headers(linkHeader(result.links)).send(result)
    },
  })
  defineOperation(scope, {
    id: 'listIssuePathsOfSnapshotV1',
    at: `GET ${base}/history/:snapshotId/issue/:issueId/paths`,
    summary: 'List the dependency paths to an issue of a project’s last test',
    description: Snapshots,
    tags,
    access: readsHistory,
    params: Type.Object({ ...ofProject, snapshotId: SnapshotId, issueId: IssueId }),
    query: Type.Object(query),
    response,
    handler: async (request, reply) => {
      await requireLatest(services, request, request.params.snapshotId)
      const result = await findPaths(tools, request, request.query)
      return reply.headers(linkHeader(result.links)).send(result)
    },
  })
}

async function findPaths({ services, advisories }: Tools, request: FastifyRequest, query: Partial<NumberedPage>) {
  const at = { page: query.page ?? 1, perPage: query.perPage ?? MAX_PATHS }
  const { db, now, baseUrl } = services
  const { issueId } = request.params as { issueId: string }
  const project = await getPathProject(db, request)
  const read = await findIssuesWithSafeAdvice(db, project, { now: now(), advisories })
  const issue = read?.issues.find(({ id }) => id === issueId)
  if (!read || !issue) throw notFound(`Issue ${issueId} of this project`)
  const shown = createProjectPaths(read.graph)
  const all = pathsTo(issue, shown)
  const links = pageLinks(new URL(`${baseUrl}${request.url}`).href, at, all.length)
  const offset = toOffset(at)
  const page = all.slice(offset, offset + at.perPage)
  const ignores = await listIgnoresByIssue(services, project.number, [issue])
  const pathIgnores = page.map((entry) => ignoresOfPath(read, { issue, ignores }, entry).map(toIgnoreReason))
  const paths = page.map((entry) => toShownPath(entry, shown))
  const pathAdvice = page.map((entry) => adviseOnPath(issue, entry, managerOfPlace(read, entry.place)))
  return { snapshotId: read.testId, paths, pathAdvice, pathIgnores, total: all.length, links }
}

interface FoundPath {
  readonly place: IssuePlace
  /** The path from the direct dependency, as indices of nodes and as `name@version`. */
  readonly nodes: readonly number[]
  readonly path: readonly string[]
}

/** Lists the paths to an issue, shortest first. */
function pathsTo({ places }: ProjectIssue, { to, textOf }: ProjectPaths): FoundPath[] {
  const entries = places.flatMap((place) =>
    to(place.package, MAX_PATHS).paths.map((nodes) => ({ place, nodes, path: textOf(nodes) })),
  )
  return entries.sort((a, b) => a.path.length - b.path.length)
}

/** Formats a path. Its direct dependency has the version that fixes the issue, if another one does. */
function toShownPath(entry: FoundPath, { graph }: ProjectPaths): Static<typeof IssuePaths>['paths'][number] {
  const upgrade = findUpgrade(entry.place, entry.path)
  const fix = upgrade?.kind === 'direct' ? splitName(upgrade.to).version : undefined
  return entry.nodes.map((node, step) => ({
    ...graph.nodes[node]!.package,
    ...(step === 0 && fix !== undefined && { fixVersion: fix }),
  }))
}

async function requireLatest({ db }: Services, request: FastifyRequest, snapshotId: string): Promise<void> {
  if (snapshotId === 'latest') return
  const { number, tested_at } = await getPathProject(db, request)
  const test = await findTest(db, number, snapshotId.toLowerCase())
  if (!test) throw notFound(`Snapshot ${snapshotId}`)
  if (Number(test.tested_at) === tested_at) return
  throw new Problem('unprocessable', `${Snapshots} Use \`latest\``)
}
