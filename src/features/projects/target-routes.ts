import { Type } from 'typebox'
import { answerChange } from '#foundation/http/change.ts'
import { listOf, listQuery, Single, single, Uuid, Versioned } from '#foundation/http/documents.ts'
import { inNamesOf, withFormerNames } from '#foundation/http/former-names.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { removeTarget } from './change-project.ts'
import { formerNames } from './former-names.ts'
import { CountedCollection } from './resource.ts'
import { Target, targetFilters, toTarget, toTargetFilters } from './target-resource.ts'
import { countTargets, getTarget, listTargets, targetsByAge } from './targets-store.ts'

const tags = ['Projects']
const one = Type.Object({ org_id: Uuid, target_id: Uuid })
const releases = ['2021-08-20~beta', '2024-02-21']
const AnyTarget = withFormerNames(Target, formerNames)
/** Smaller pages than elsewhere are asked for here. */
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Items on a page' }))

/** What projects come from. */
export function targetRoutes(services: Services): Routes {
  const { db, keyring, now } = services
  return (scope) => {
    scope.get(
      '/orgs/:org_id/targets',
      {
        config: { access: { org: ['org.project.read'] }, releases, formerNames },
        schema: {
          operationId: 'getOrgsTargets',
          summary: 'List the targets of an organisation',
          tags,
          params: Type.Object({ org_id: Uuid }),
          querystring: listQuery({ ...targetFilters, limit }),
          response: { 200: CountedCollection(AnyTarget) },
        },
      },
      async (request) => {
        const list = listOf(request, keyring)
        const wanted = { orgId: orgOf(request).id, filters: toTargetFilters(request.query) }
        const page = await listTargets(db, wanted, list.window)
        const document = list.document(page, targetsByAge, (row) => inNamesOf(request, formerNames, toTarget(row)))
        if (!request.query.count) return document
        return { ...document, meta: { count: await countTargets(db, wanted.orgId, wanted.filters) } }
      },
    )
    scope.get(
      '/orgs/:org_id/targets/:target_id',
      {
        config: { access: { org: ['org.project.read'] }, releases, formerNames },
        schema: {
          operationId: 'getOrgsTarget',
          summary: 'Read a target',
          tags,
          params: one,
          querystring: Versioned,
          response: { 200: Single(AnyTarget) },
        },
      },
      async (request) => {
        const row = await getTarget(db, orgOf(request).id, request.params.target_id.toLowerCase())
        return single(request, inNamesOf(request, formerNames, toTarget(row)))
      },
    )
    scope.delete(
      '/orgs/:org_id/targets/:target_id',
      {
        config: {
          access: { org: ['org.project.delete'] },
          releases: ['2021-09-29~beta', '2023-06-23~beta', '2024-02-21'],
        },
        schema: {
          operationId: 'deleteOrgsTarget',
          summary: 'Delete a target with all of its projects',
          tags,
          params: one,
          querystring: Versioned,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const org = orgOf(request)
        return answerChange(services, { request, reply }, async (tx, actor) => {
          await removeTarget({ tx, org, actor, at: now() }, request.params.target_id.toLowerCase())
          return { status: 204 }
        })
      },
    )
  }
}
