import { Type } from 'typebox'
import { parseLimits } from '#features/credentials/limits.ts'
import { requireMayEndAccess } from '#features/members/access-of-others.ts'
import { getUser } from '#features/members/users-store.ts'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, groupOf, pathId } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { createKey, removeKey } from './change-key.ts'
import { ApiKey, NewApiKey, toResource } from './resource.ts'
import { getKey, keysByAge, listKeys } from './store.ts'

const common = { tags: ['API keys'], releases: ['2024-10-15'] }
const extension = 'An extension.'

export function apiKeyRoutes(services: Services): Routes {
  return (scope) => {
    ownRoutes(scope, services)
    administratorRoutes(scope, services)
  }
}

/** API keys of users. The API key of a service account is created and deleted with the account. */
function ownRoutes(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'listOwnApiKeys',
    at: 'GET /self/api_keys',
    summary: 'List the caller’s API keys',
    description: extension,
    ...common,
    access: 'in-person',
    query: listQuery(),
    response: { 200: Collection(ApiKey) },
    handler: async (request) => {
      const list = listOf(request, services.keyring)
      const page = await listKeys(services.db, callerOf(request).principal.id, list.window)
      return list.document(page, keysByAge, (row) => toResource(row))
    },
  })
  defineOperation(scope, {
    id: 'createOwnApiKey',
    at: 'POST /self/api_keys',
    summary: 'Create an API key of the caller; the response shows it once',
    description: `${extension} A calling key with an expiry or networks can create only keys within the same limits.`,
    ...common,
    access: 'in-person',
    body: NewApiKey,
    response: { 201: Single(ApiKey) },
    handler: async (request, reply) => {
      const { name = 'API key', ...requested } = request.body.data.attributes
      const limits = parseLimits(requested, services.now())
      const userId = callerOf(request).principal.id
      return answerChange(services, { request, reply }, async (change) => {
        const { row, secret } = await createKey(services, { ...change, userId }, { name, limits })
        const body = single(request, toResource(row, secret), `/self/api_keys/${row.id}`)
        return { status: 201, body, headers: { location: `${services.baseUrl}/rest${body.links.self}` } }
      })
    },
  })
  defineOperation(scope, {
    id: 'getOwnApiKey',
    at: 'GET /self/api_keys/:key_id',
    summary: 'Read the metadata of an API key of the caller',
    description: extension,
    ...common,
    access: 'in-person',
    response: { 200: Single(ApiKey) },
    handler: async (request) =>
      single(request, toResource(await getKey(services.db, callerOf(request).principal.id, pathId(request, 'key_id')))),
  })
  defineOperation(scope, {
    id: 'deleteOwnApiKey',
    at: 'DELETE /self/api_keys/:key_id',
    summary: 'Delete an API key of the caller; it stops working immediately',
    description: extension,
    ...common,
    access: 'in-person',
    response: { 204: Type.Null() },
    handler: async (request, reply) => {
      const userId = callerOf(request).principal.id
      return answerChange(services, { request, reply }, (change) =>
        removeKey({ ...change, userId }, pathId(request, 'key_id')),
      )
    },
  })
}

/** API keys of users whose accounts the group manages. */
function administratorRoutes(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'listUserApiKeys',
    at: 'GET /groups/:group_id/users/:user_id/api_keys',
    summary: 'List the API keys of a user of the group',
    description: extension,
    ...common,
    access: { group: ['group.user.read'] },
    query: listQuery(),
    response: { 200: Collection(ApiKey) },
    handler: async (request) => {
      const list = listOf(request, services.keyring)
      const user = await getUser(services.db, groupOf(request).id, request.params.user_id.toLowerCase())
      const page = await listKeys(services.db, user.id, list.window)
      return list.document(page, keysByAge, (row) => toResource(row))
    },
  })
  defineOperation(scope, {
    id: 'deleteUserApiKey',
    at: 'DELETE /groups/:group_id/users/:user_id/api_keys/:key_id',
    summary: 'Delete an API key of a user of the group; it stops working immediately',
    description: `${extension} The caller must hold every permission that the user holds in the group.`,
    ...common,
    access: { group: ['group.user.edit'] },
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const { id: groupId } = groupOf(request)
        const user = await getUser(change.tx, groupId, request.params.user_id.toLowerCase())
        const { permissions: own } = callerOf(request)
        await requireMayEndAccess(change.tx, { id: change.actor.id, groupId, permissions: own }, user.id)
        await removeKey({ ...change, userId: user.id }, pathId(request, 'key_id'))
      }),
  })
}
