import { Type } from 'typebox'
import { resource, Single, single, singleQuery } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { getProject } from './store.ts'
import { TrendAttributes, toTrendAttributes, toTrendWanted, trendParameters } from './trends/trend-resource.ts'
import { readOrgTrend, readProjectTrend } from './trends/trends-store.ts'

const access = { org: ['org.project.read'] } as const
const Trends = resource('trends', TrendAttributes)
nameSchemas({ Trends })

/** Serves how the open issues of an organization developed. */
export function trendRoutes({ db, now }: Services): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'getOrgTrends',
      at: 'GET /orgs/:org_id/trends',
      summary: 'Read how many issues were open, opened, fixed and ignored',
      description:
        'An extension. `open` is at the end of a day or week; `removed` ones were withdrawn, or went with their project. An issue counts once per project.',
      tags: ['Projects'],
      access,
      releases: ['2024-10-15'],
      query: singleQuery(trendParameters),
      response: { 200: Single(Trends) },
      handler: async (request) => {
        const wanted = toTrendWanted(request.query, now())
        const { id } = orgOf(request)
        const trend = await readOrgTrend(db, id, { ...wanted, now: now() })
        return single(request, { id, type: 'trends', attributes: toTrendAttributes(trend, wanted) })
      },
    })
  }
}

/** `/console`: the same of one project, for the plot of its history. */
export function projectTrendRoutes({ db, now }: Services): Routes {
  const params = Type.Object({ org_id: Type.String(), project_id: Type.String() })
  const querystring = Type.Object(trendParameters, { additionalProperties: false })
  const options = { config: { access }, schema: { hide: true, params, querystring } } as const
  return (scope) => {
    scope.get('/orgs/:org_id/projects/:project_id/trends', options, async (request) => {
      const wanted = toTrendWanted(request.query, now())
      const project = await getProject(db, orgOf(request).id, request.params.project_id.toLowerCase())
      return toTrendAttributes(await readProjectTrend(db, project, { ...wanted, now: now() }), wanted)
    })
  }
}
