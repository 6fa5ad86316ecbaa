import { type Static, Type } from 'typebox'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import type { DependencySort } from './dependencies-store.ts'
import { findIssueCounts } from './issue-counts-store.ts'
import { listOrgDependencies } from './list-dependencies.ts'
import { type LicenceSort, licenceSorts, listOrgLicences } from './list-licences.ts'
import { linkHeader, pageLinks, pageQuery, toOffset } from './numbered-pages.ts'
import { criticalities, environments, lifecycles } from './resource.ts'
import { findPeople, listProjectsAtOnce, type ProjectFilters } from './store.ts'
import { optionalBody } from './v1-issue-resource.ts'
import { Dependencies, DependencyQuestion, LicenceQuestion, Licences, listSorting } from './v1-package-resource.ts'
import { toV1Listed, V1Projects } from './v1-resource.ts'

const tags = ['Projects']
const params = Type.Object({ orgId: Type.String() })
const readsPackages = { access: { org: ['org.read', 'org.project.read', 'org.project.snapshot.read'] as const } }

/** Everything at once, as v1 lists it. */
const MAX_PROJECTS = 10_000
const COUNTED_AT_ONCE = 500

/** What all projects of an organisation are and contain, as clients of v1 ask for it. */
export function v1OrgProjectRoutes(services: Services): Routes {
  return (scope) => {
    listRoute(scope, services)
    dependenciesRoute(scope, services)
    licencesRoute(scope, services)
  }
}

const ProjectQuestion = Type.Object({
  filters: Type.Optional(
    Type.Object({
      name: Type.Optional(Type.String({ maxLength: 2000, description: 'Only projects whose name begins so' })),
      origin: Type.Optional(Type.String({ maxLength: 100, description: 'Only projects of this origin' })),
      type: Type.Optional(Type.String({ maxLength: 100, description: 'Only projects of this package manager' })),
      isMonitored: Type.Optional(Type.Boolean({ description: 'Only projects that are, or are not, active' })),
      tags: Type.Optional(
        Type.Object({
          includes: Type.Optional(
            Type.Array(Type.Object({ key: Type.String(), value: Type.String() }), {
              maxItems: 100,
              description: 'Only projects with all of these',
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

function listRoute(scope: Server, { db, now, baseUrl }: Services): void {
  scope.post(
    '/org/:orgId/projects',
    {
      config: { access: { org: ['org.read', 'org.project.read'] } },
      schema: {
        operationId: 'listProjectsV1',
        summary: 'List the projects of an organisation at once',
        description: `The form before the paged list, for clients that still ask for it; of more than ${MAX_PROJECTS} it answers 422.`,
        tags,
        params,
        body: optionalBody(ProjectQuestion),
        response: { 200: V1Projects },
      },
    },
    async (request) => {
      const { id, name } = orgOf(request)
      const wanted = { orgId: id, filters: toFilters(request.body ?? {}), most: MAX_PROJECTS + 1 }
      const rows = await listProjectsAtOnce(db, wanted)
      if (rows.length > MAX_PROJECTS) {
        throw new Problem(
          'unprocessable',
          `There are more than ${MAX_PROJECTS}; filter, or read /rest/orgs/${id}/projects page by page`,
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
    },
  )
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
  scope.post(
    '/org/:orgId/dependencies',
    {
      config: readsPackages,
      schema: {
        operationId: 'listDependenciesV1',
        summary: 'List the packages that an organisation’s projects contain',
        description:
          'What registries know of newer and deprecated versions is not kept here, so it is left out rather than guessed.',
        tags,
        params,
        querystring: Type.Object({
          ...pageQuery({ perPage: 20, most: 1000 }),
          ...listSorting(['dependency', 'severity', 'projects']),
        }),
        body: optionalBody(DependencyQuestion),
        response: { 200: Dependencies },
      },
    },
    async (request, reply) => {
      const { page = 1, perPage = 20, sortBy = 'dependency', order = 'asc' } = request.query
      const found = await listOrgDependencies(db, {
        orgId: orgOf(request).id,
        filters: request.body?.filters ?? {},
        sort: sortBy as DependencySort,
        order,
        limit: perPage,
        offset: toOffset({ page, perPage }),
      })
      const links = pageLinks(new URL(`${baseUrl}${request.url}`).href, { page, perPage }, found.total)
      return reply.headers(linkHeader(links)).send(found)
    },
  )
}

function licencesRoute(scope: Server, { db }: Services): void {
  scope.post(
    '/org/:orgId/licenses',
    {
      config: readsPackages,
      schema: {
        operationId: 'listLicensesV1',
        summary: 'List the licences of the packages that projects contain',
        tags,
        params,
        querystring: Type.Object(listSorting(licenceSorts)),
        body: optionalBody(LicenceQuestion),
        response: { 200: Licences },
      },
    },
    async (request) => {
      const { sortBy = 'license', order = 'asc' } = request.query
      const filters = request.body?.filters ?? {}
      return listOrgLicences(db, { orgId: orgOf(request).id, filters, sort: sortBy as LicenceSort, order })
    },
  )
}
