import { Type } from 'typebox'
import { answerOrgChange } from '#foundation/http/change.ts'
import { CountedCollection, listOf, listQuery, Single, single } from '#foundation/http/documents.ts'
import { inNamesOf, withFormerNames } from '#foundation/http/former-names.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { removeTarget } from './change-project.ts'
import { formerNames } from './former-names.ts'
import { Target, targetFilters, toTarget, toTargetFilters } from './target-resource.ts'
import { countTargets, getTarget, listTargets, targetsByAge } from './targets-store.ts'

const tags = ['Projects']
const releases = ['2021-08-20~beta', '2024-02-21']
const AnyTarget = withFormerNames(Target, formerNames)

nameSchemas({ AnyTarget })
/** The default page is smaller than elsewhere. */
const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Maximum number of items on a page' }),
)

export function targetRoutes(services: Services): Routes {
  const { db, database, keyring } = services
  return (scope) => {
    defineOperation(scope, {
      id: 'getOrgsTargets',
      at: 'GET /orgs/:org_id/targets',
      summary: 'List the targets of an organization',
      tags,
      access: { org: ['org.project.read'] },
      releases,
      formerNames,
      query: listQuery({ ...targetFilters, limit }),
      response: { 200: CountedCollection(AnyTarget) },
      handler: async (request) => {
        const list = listOf(request, keyring)
        const input = { orgId: orgOf(request).id, filters: toTargetFilters(request.query) }
        const page = await listTargets(database.reads, input, list.window)
        const document = list.document(page, targetsByAge, (row) => inNamesOf(request, formerNames, toTarget(row)))
        if (!request.query.count) return document
        return { ...document, meta: { count: await countTargets(database.reads, input.orgId, input.filters) } }
      },
    })
    defineOperation(scope, {
      id: 'getOrgsTarget',
      at: 'GET /orgs/:org_id/targets/:target_id',
      summary: 'Read a target',
      tags,
      access: { org: ['org.project.read'] },
      releases,
      formerNames,
      response: { 200: Single(AnyTarget) },
      handler: async (request) => {
        const row = await getTarget(db, orgOf(request).id, request.params.target_id.toLowerCase())
        return single(request, inNamesOf(request, formerNames, toTarget(row)))
      },
    })
    defineOperation(scope, {
      id: 'deleteOrgsTarget',
      at: 'DELETE /orgs/:org_id/targets/:target_id',
      summary: 'Delete a target with all of its projects',
      tags,
      access: { org: ['org.project.delete'] },
      releases: ['2021-09-29~beta', '2023-06-23~beta', '2024-02-21'],
      response: { 204: Type.Null() },
      handler: async (request, reply) =>
        answerOrgChange(services, { request, reply }, (change) =>
          removeTarget(change, request.params.target_id.toLowerCase()),
        ),
    })
  }
}
