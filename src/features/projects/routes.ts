import { type Static, Type } from 'typebox'
import { answerOrgChange } from '#foundation/http/change.ts'
import { CountedCollection, listOf, listQuery, Single, single, singleQuery } from '#foundation/http/documents.ts'
import { inNamesOf, withFormerNames } from '#foundation/http/former-names.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { requirePathId } from '#foundation/http/text.ts'
import { notFound } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { findIssueCounts } from '../issue-index/counts/issue-counts-store.ts'
import { sumOf } from '../issue-index/severity-counts.ts'
import { findMatchedAt } from '../issue-index/storage/known-issues-store.ts'
import { editProject, removeProjects } from './change-project.ts'
import { ChangedProject, requireLabels, toChanged } from './changed-project.ts'
import { formerNames } from './former-names.ts'
import { Project, projectFilters, type ShownWith, shownParameters, sorting, toFilters, toProject } from './resource.ts'
import { countProjects, getProject, listProjects, type ProjectRow, projectOrders } from './store.ts'

const tags = ['Projects']
const since2023 = ['2023-02-15', '2023-08-28', '2023-09-11', '2023-11-06', '2024-05-31']

export function projectRoutes(services: Services): Routes {
  return (scope) => {
    listRoute(scope, services)
    readRoute(scope, services)
    changeRoutes(scope, services)
  }
}

type Shown = Partial<Static<ReturnType<typeof shownQuery>>>

function shownQuery() {
  return Type.Object(shownParameters)
}

async function shownWith({ db, now }: Services, rows: readonly ProjectRow[], query: Shown): Promise<ShownWith> {
  return {
    isTargetExpanded: query.expand?.includes('target') ?? false,
    hasDependencyTotal: query['meta.latest_dependency_total'] ?? false,
    issueCounts: query['meta.latest_issue_counts'] ? await findIssueCounts(db, rows, now()) : undefined,
    matchedAt: query['meta.latest_issue_counts'] ? await findMatchedAt(db) : 0,
  }
}

function listRoute(scope: Server, services: Services): void {
  const { keyring } = services
  const { reads } = services.database
  defineOperation(scope, {
    id: 'listOrgProjects',
    at: 'GET /orgs/:org_id/projects',
    summary: 'List the projects of an organization',
    description: 'A project must match one value of each filter, but all values of tags and attributes.',
    tags,
    access: { org: ['org.project.read'] },
    releases: ['2021-06-04~beta', '2022-08-12~experimental', '2022-12-21~experimental', ...since2023],
    formerNames,
    query: listQuery({ ...projectFilters, ...shownParameters, ...sorting }),
    response: { 200: CountedCollection(withFormerNames(Project, formerNames)) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      const { id: orgId } = orgOf(request)
      const filters = toFilters(request.query)
      const { sort = 'created', meta_count } = request.query
      const nothing = { rows: [], hasNext: false, hasPrevious: false }
      const page = meta_count ? nothing : await listProjects(reads, { orgId, filters, sort }, list.window)
      const kept = list.kept(page)
      if (kept) return kept as ReturnType<typeof list.document<ProjectRow, Static<typeof Project>>>
      const shown = await shownWith({ ...services, db: reads }, page.rows, request.query)
      const show = toProject(shown)
      // Ignores expire, so counts without ignored issues depend on the time.
      const isLasting = ![...(shown.issueCounts?.values() ?? [])].some(({ ignored }) => sumOf(ignored) > 0)
      const toDocument = isLasting ? list.lastingDocument : list.document
      const document = toDocument(page, projectOrders[sort], (row) => inNamesOf(request, formerNames, show(row)))
      return meta_count ? { ...document, meta: { count: await countProjects(reads, orgId, filters) } } : document
    },
  })
}

function readRoute(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'getOrgProject',
    at: 'GET /orgs/:org_id/projects/:project_id',
    summary: 'Read a project',
    tags,
    access: { org: ['org.project.read'] },
    releases: ['2022-02-01~experimental', '2022-08-12~experimental', '2022-12-21~experimental', ...since2023],
    query: singleQuery(shownParameters),
    response: { 200: Single(Project) },
    handler: async (request) => {
      const row = await getProject(services.db, orgOf(request).id, projectIdOf(request.params))
      return single(request, toProject(await shownWith(services, [row], request.query))(row))
    },
  })
}

function changeRoutes(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'updateOrgProject',
    at: 'PATCH /orgs/:org_id/projects/:project_id',
    summary: 'Change a project’s labels, owner or test frequency',
    description:
      'Omitted attributes stay as they are. Tags also need org.project.tag.edit; criticality, environment and lifecycle org.project.attributes.edit.',
    tags,
    access: { org: ['org.project.read', 'org.project.edit'] },
    releases: ['2022-12-21~experimental', ...since2023],
    query: singleQuery({ expand: shownParameters.expand }),
    body: ChangedProject,
    response: { 200: Single(Project) },
    handler: async (request, reply) => {
      const id = projectIdOf(request.params)
      const { data } = request.body
      requirePathId(data.id, id)
      requireLabels(callerOf(request).permissions, data.attributes ?? {}, '/data/attributes')
      return answerOrgChange(services, { request, reply }, async (change) => {
        const row = await editProject(change, id, () => toChanged(data))
        const show = toProject(await shownWith({ ...services, db: change.tx }, [row], request.query))
        return { status: 200, body: single(request, show(row)) }
      })
    },
  })
  defineOperation(scope, {
    id: 'deleteOrgProject',
    at: 'DELETE /orgs/:org_id/projects/:project_id',
    summary: 'Delete a project with its history and ignores',
    tags,
    access: { org: ['org.project.read', 'org.project.delete'] },
    releases: ['2023-11-06', '2024-05-31'],
    response: { 204: Type.Null() },
    handler: async (request, reply) => {
      const id = projectIdOf(request.params)
      return answerOrgChange(services, { request, reply }, async (change) => {
        const gone = await removeProjects(change, [id])
        if (gone.length === 0) throw notFound(`Project ${id}`)
      })
    },
  })
}

function projectIdOf({ project_id }: { project_id: string }): string {
  return project_id.toLowerCase()
}
