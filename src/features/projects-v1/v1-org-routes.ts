import { type Static, Type } from 'typebox'
import type { Org } from '#foundation/access/caller.ts'
import { rememberedAnswer } from '#foundation/http/lasting-documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { listOrgDependencies } from '../dependencies/list-dependencies.ts'
import { type LicenseSort, licenseSorts, listOrgLicenses } from '../dependencies/list-licenses.ts'
import {
  Dependencies,
  DependencyQuestion,
  LicenseQuestion,
  Licenses,
  listSorting,
} from '../dependencies/v1-package-resource.ts'
import { findIssueCounts } from '../issue-index/counts/issue-counts-store.ts'
import type { DependencySort } from '../issue-index/packages/dependencies-store.ts'
import { optionalBody } from '../issues/v1-issue-resource.ts'
import { linkHeader, pageLinks, pageQuery, toOffset } from '../projects/numbered-pages.ts'
import { criticalities, environments, lifecycles } from '../projects/resource.ts'
import { findPeople, listProjectsAtOnce, type ProjectFilters } from '../projects/store.ts'
import { toV1Listed, V1Projects } from './v1-resource.ts'

const tags = ['Projects']
const params = Type.Object({ orgId: Type.String() })
const readsPackages = { access: { org: ['org.read', 'org.project.read', 'org.project.snapshot.read'] as const } }

/** Limit of this list, which has no pages in v1. */
const MAX_PROJECTS = 10_000
const COUNTED_AT_ONCE = 500

export function v1OrgProjectRoutes(services: Services): Routes {
  return (scope) => {
    listRoutes(scope, services)
    dependenciesRoute(scope, services)
    licensesRoute(scope, services)
  }
}

const ProjectQuestion = Type.Object({
  filters: Type.Optional(
    Type.Object({
      name: Type.Optional(Type.String({ maxLength: 2000, description: 'Only projects whose name begins with this' })),
      origin: Type.Optional(Type.String({ maxLength: 100, description: 'Only projects of this origin' })),
      type: Type.Optional(Type.String({ maxLength: 100, description: 'Only projects of this package manager' })),
      isMonitored: Type.Optional(Type.Boolean({ description: 'Only active projects, or only inactive ones' })),
      tags: Type.Optional(
        Type.Object({
          includes: Type.Optional(
            Type.Array(Type.Object({ key: Type.String(), value: Type.String() }), {
              maxItems: 100,
              description: 'Only projects with all of these values',
            }),
          ),
        }),
      ),
      attributes: Type.Optional(
        Type.Object({
          criticality: Type.Optional(Type.Array(Type.Enum(criticalities))),
          environment: Type.Optional(Type.Array(Type.Enum(environments))),
          lifecycle: Type.Optional(Type.Array(Type.Enum(lifecycles))),
        }),
      ),
    }),
  ),
})

nameSchemas({ V1ProjectSearch: ProjectQuestion })

function listRoutes(scope: Server, services: Services): void {
  const common = {
    description: `Without pages, for existing clients. Refused with 422 if there are more than ${MAX_PROJECTS} projects.`,
    tags,
    access: { org: ['org.read', 'org.project.read'] },
    params,
    response: { 200: V1Projects },
  } as const
  defineOperation(scope, {
    ...common,
    id: 'listProjectsV1',
    at: 'POST /org/:orgId/projects',
    summary: 'List the projects of an organization that match filters',
    body: optionalBody(ProjectQuestion),
    handler: (request) => listProjects(services, orgOf(request), toFilters(request.body ?? {})),
  })
  defineOperation(scope, {
    ...common,
    id: 'listAllProjectsV1',
    at: 'GET /org/:orgId/projects',
    summary: 'List all projects of an organization',
    handler: (request) => listProjects(services, orgOf(request), {}),
  })
}

async function listProjects(
  { db, now, baseUrl }: Services,
  { id, name }: Pick<Org, 'id' | 'name'>,
  filters: ProjectFilters,
): Promise<Static<typeof V1Projects>> {
  const rows = await listProjectsAtOnce(db, { orgId: id, filters, most: MAX_PROJECTS + 1 })
  if (rows.length > MAX_PROJECTS) {
    throw new Problem(
      'unprocessable',
      `There are more than ${MAX_PROJECTS} projects; use filters, or read /rest/orgs/${id}/projects page by page`,
    )
  }
  const people = await findPeople(
    db,
    rows.flatMap(({ importer_id, owner_id }) => [importer_id, owner_id]),
  )
  const projects = []
  for (let at = 0; at < rows.length; at += COUNTED_AT_ONCE) {
    const part = rows.slice(at, at + COUNTED_AT_ONCE)
    const counts = await findIssueCounts(db, part, now())
    projects.push(...part.map((row) => toV1Listed(row, { baseUrl, counts, people })))
  }
  return { org: { name, id }, projects }
}

function toFilters({ filters = {} }: Static<typeof ProjectQuestion>): ProjectFilters {
  const { name, origin, type, isMonitored, tags: tagged, attributes } = filters
  return {
    nameStarts: name === undefined || name === '' ? undefined : [name],
    origins: origin === undefined ? undefined : [origin],
    types: type === undefined ? undefined : [type],
    status: isMonitored === undefined ? undefined : isMonitored ? 'active' : 'inactive',
    tags: tagged?.includes?.map(({ key, value }) => ({ key, value })),
    businessCriticality: attributes?.criticality,
    environment: attributes?.environment,
    lifecycle: attributes?.lifecycle,
  }
}

function dependenciesRoute(scope: Server, { db, baseUrl }: Services): void {
  defineOperation(scope, {
    id: 'listDependenciesV1',
    at: 'POST /org/:orgId/dependencies',
    summary: 'List the packages of an organization’s projects',
    description: 'Data on newer and deprecated versions is not available and therefore omitted.',
    tags,
    ...readsPackages,
    params,
    query: Type.Object({
      ...pageQuery({ perPage: 20, most: 1000 }),
      ...listSorting(['dependency', 'severity', 'projects']),
    }),
    body: optionalBody(DependencyQuestion),
    response: { 200: Dependencies },
    handler: async (request, reply) => {
      const { page = 1, perPage = 20, sortBy = 'dependency', order = 'asc' } = request.query
      const input = {
        orgId: orgOf(request).id,
        filters: request.body?.filters ?? {},
        sort: sortBy as DependencySort,
        order,
        limit: perPage,
        offset: toOffset({ page, perPage }),
      }
      // The key includes the URL, which the links contain.
      const { body, headers } = await rememberedAnswer(db, JSON.stringify([request.url, input]), async () => {
        const result = await listOrgDependencies(db, input)
        const links = pageLinks(new URL(`${baseUrl}${request.url}`).href, { page, perPage }, result.total)
        return { body: result, headers: linkHeader(links) }
      })
      return reply.headers(headers).send(body)
    },
  })
}

function licensesRoute(scope: Server, { db }: Services): void {
  defineOperation(scope, {
    id: 'listLicensesV1',
    at: 'POST /org/:orgId/licenses',
    summary: 'List the licenses of the packages of an organization’s projects',
    tags,
    ...readsPackages,
    params,
    query: Type.Object(listSorting(licenseSorts)),
    body: optionalBody(LicenseQuestion),
    response: { 200: Licenses },
    handler: async (request) => {
      const { sortBy = 'license', order = 'asc' } = request.query
      const filters = request.body?.filters ?? {}
      const input = { orgId: orgOf(request).id, filters, sort: sortBy as LicenseSort, order }
      const { body } = await rememberedAnswer(db, JSON.stringify(['licenses', input]), async () => {
        return { body: await listOrgLicenses(db, input), headers: {} }
      })
      return body
    },
  })
}
