import { type TProperties, Type } from 'typebox'
import { getProject } from '#features/projects/store.ts'
import { resource, Single, single, singleQuery } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { readSparklines, SPARKLINE_DAYS, STEP_DAYS } from './sparklines-store.ts'
import {
  ShortTrend,
  TrendAttributes,
  toShortTrend,
  toTrendAttributes,
  toTrendWanted,
  trendParameters,
} from './trend-resource.ts'
import { readOrgTrend, readProjectTrend } from './trends-store.ts'

const access = { org: ['org.project.read'] } as const
const Trends = resource('trends', TrendAttributes)
nameSchemas({ Trends })

export function trendRoutes({ db, now }: Services): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'getOrgTrends',
      at: 'GET /orgs/:org_id/trends',
      summary: 'Read the history of open, new, fixed and ignored issues',
      description:
        'An extension. `open` is at the end of a day or week; `removed` issues were withdrawn, or deleted with their project. An issue counts once per project.',
      tags: ['Projects'],
      access,
      releases: ['2024-10-15'],
      query: singleQuery(trendParameters),
      response: { 200: Single(Trends) },
      handler: async (request) => {
        const query = toTrendWanted(request.query, now())
        const { id } = orgOf(request)
        const trend = await readOrgTrend(db, id, { ...query, now: now() })
        return single(request, { id, type: 'trends', attributes: toTrendAttributes(trend, query) })
      },
    })
  }
}

const sparklineSchema = {
  hide: true,
  operationId: 'getSparklines',
  params: Type.Object({ org_id: Type.String() }),
  querystring: Type.Object(
    {
      by: Type.Enum(['repository', 'project']),
      // Up to a hundred, separated by commas.
      ids: Type.String({ pattern: '^[0-9a-fA-F-]{36}(,[0-9a-fA-F-]{36}){0,99}$' }),
    },
    { additionalProperties: false },
  ),
  response: {
    200: Type.Object({
      days: Type.Integer(),
      step_days: Type.Integer(),
      open: Type.Record(Type.String(), Type.Array(Type.Integer())),
    }),
  },
} as const

/** `/console`: trends by day in few bytes, of an organization and of one project; and sparklines of a page of a list. */
export function consoleTrendRoutes({ db, now }: Services): Routes {
  const querystring = Type.Object(
    { from: trendParameters.from, to: trendParameters.to },
    { additionalProperties: false },
  )
  const org = { org_id: Type.String() }
  const response = { 200: ShortTrend }
  const optionsFor = <Params extends TProperties>(operationId: string, params: Params) =>
    ({
      config: { access },
      schema: { hide: true, operationId, params: Type.Object(params), querystring, response },
    }) as const
  return (scope) => {
    scope.get('/orgs/:org_id/trends', optionsFor('getTrend', org), async (request) => {
      const query = toTrendWanted(request.query, now())
      return toShortTrend(await readOrgTrend(db, orgOf(request).id, { ...query, now: now() }), query)
    })
    scope.get('/orgs/:org_id/sparklines', { config: { access }, schema: sparklineSchema }, async (request) => {
      const { by, ids } = request.query
      const query = { orgId: orgOf(request).id, by, ids: ids.toLowerCase().split(','), now: now() }
      return { days: SPARKLINE_DAYS, step_days: STEP_DAYS, open: await readSparklines(db, query) }
    })
    const ofProject = optionsFor('getProjectTrend', { ...org, project_id: Type.String() })
    scope.get('/orgs/:org_id/projects/:project_id/trends', ofProject, async (request) => {
      const query = toTrendWanted(request.query, now())
      const project = await getProject(db, orgOf(request).id, request.params.project_id.toLowerCase())
      return toShortTrend(await readProjectTrend(db, project, { ...query, now: now() }), query)
    })
  }
}
