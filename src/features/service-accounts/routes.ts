import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { serveCredentials } from '#features/credentials/serve-credentials.ts'
import type { Change } from '#foundation/audit/record.ts'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, pathId } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { requirePathId, toStoredName } from '#foundation/http/text.ts'
import { andThen } from '#foundation/maybe-promise.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import type { Services } from '#foundation/services.ts'
import { type AccountChange, programOf } from './change.ts'
import { changeName } from './change-name.ts'
import { changeSecrets } from './change-secrets.ts'
import { createAccount } from './create-account.ts'
import { groups, type OwnerKind, orgs } from './owner-kind.ts'
import { parseAttributes, requireReachable } from './parse-attributes.ts'
import { removeAccount } from './remove-account.ts'
import { type NewOrgAccount, RenamedAccount, SecretsRequest, ServiceAccount, toResource } from './resource.ts'
import { accountsByAge, getAccount, listAccounts, lockAccount } from './store.ts'

const common = { tags: ['Service accounts'], releases: ['2023-09-07'] }

export function serviceAccountRoutes(services: Services, outgoing: Pick<Outgoing, 'judge'>): Routes {
  return (scope) => {
    for (const kind of [orgs, groups]) {
      createRoute(scope, { services, outgoing }, kind)
      readRoutes(scope, services, kind)
      changeRoutes(scope, services, kind)
      secretsRoute(scope, services, kind)
      credentialRoutes(scope, services, kind)
    }
  }
}

function createRoute(
  scope: Server,
  { services, outgoing }: { services: Services; outgoing: Pick<Outgoing, 'judge'> },
  kind: OwnerKind,
): void {
  defineOperation(scope, {
    id: `create${kind.level}ServiceAccount`,
    at: `POST ${kind.path}`,
    summary: `Create a service account of ${kind.noun}`,
    ...common,
    access: kind.access('create'),
    body: kind.NewAccount,
    response: { 201: Single(ServiceAccount) },
    handler: async (request, reply) => {
      const { data } = request.body as Static<typeof NewOrgAccount>
      const input = parseAttributes(data.attributes, services.now())
      if (input.jwksUrl !== null) requireReachable(outgoing, input.jwksUrl)
      return answerChange(services, { request, reply }, async (made) => {
        const change = changeOf(request, kind, made)
        const { account, shown } = await createAccount(services, change, input)
        const body = single(request, toResource(account, shown), `${kind.pathOf(change.owner)}/${account.id}`)
        return { status: 201, body, headers: { location: `${services.baseUrl}/rest${body.links.self}` } }
      })
    },
  })
}

function readRoutes(scope: Server, { db, keyring }: Services, kind: OwnerKind): void {
  const access = kind.access('read')
  defineOperation(scope, {
    id: `list${kind.level}ServiceAccounts`,
    at: `GET ${kind.path}`,
    summary: `List the service accounts of ${kind.noun}`,
    ...common,
    access,
    query: listQuery(),
    response: { 200: Collection(ServiceAccount) },
    handler: (request) => {
      const list = listOf(request, keyring)
      return andThen(listAccounts(db, kind.ownerOf(request), list.window), (page) =>
        list.lastingDocument(page, accountsByAge, toResource),
      )
    },
  })
  defineOperation(scope, {
    id: `get${kind.level}ServiceAccount`,
    at: `GET ${onePath(kind)}`,
    summary: `Read a service account of ${kind.noun}`,
    ...common,
    access,
    response: { 200: Single(ServiceAccount) },
    handler: async (request) =>
      single(request, toResource(await getAccount(db, kind.ownerOf(request), pathId(request, 'serviceaccount_id')))),
  })
}

function changeRoutes(scope: Server, services: Services, kind: OwnerKind): void {
  defineOperation(scope, {
    id: `update${kind.level}ServiceAccount`,
    at: `PATCH ${onePath(kind)}`,
    summary: `Rename a service account of ${kind.noun}`,
    ...common,
    access: kind.access('edit'),
    body: RenamedAccount,
    response: { 200: Single(ServiceAccount) },
    handler: async (request, reply) => {
      const { data } = request.body
      const id = pathId(request, 'serviceaccount_id')
      requirePathId(data.id, id)
      const name = toStoredName(data.attributes.name)
      return answerChange(services, { request, reply }, async (change) => {
        const account = await changeName(changeOf(request, kind, change), { id, name })
        return { status: 200, body: single(request, toResource(account)) }
      })
    },
  })
  defineOperation(scope, {
    id: `delete${kind.level}ServiceAccount`,
    at: `DELETE ${onePath(kind)}`,
    summary: `Delete a service account of ${kind.noun}; its credentials are refused at once`,
    ...common,
    access: kind.access('delete'),
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, (change) =>
        removeAccount(changeOf(request, kind, change), pathId(request, 'serviceaccount_id')),
      ),
  })
}

function secretsRoute(scope: Server, services: Services, kind: OwnerKind): void {
  defineOperation(scope, {
    id: `manage${kind.level}ServiceAccountSecrets`,
    at: `POST ${onePath(kind)}/secrets`,
    summary: `Create, replace or delete client secrets of a service account of ${kind.noun}`,
    ...common,
    access: kind.access('edit'),
    body: SecretsRequest,
    response: { 200: Single(ServiceAccount) },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (made) => {
        const change = changeOf(request, kind, made)
        const input = { id: pathId(request, 'serviceaccount_id'), ...request.body.data.attributes }
        const { account, shown } = await changeSecrets(services, change, input)
        const path = `${kind.pathOf(change.owner)}/${account.id}`
        return { status: 200, body: single(request, toResource(account, shown), path) }
      }),
  })
}

function credentialRoutes(scope: Server, services: Services, kind: OwnerKind): void {
  serveCredentials(scope, services, {
    path: onePath(kind),
    access: { read: kind.access('read'), edit: kind.access('edit') },
    operations: `${kind.level}ServiceAccount`,
    noun: `a service account of ${kind.noun}`,
    tags: common.tags,
    getOwnerId: async (request) =>
      (await getAccount(services.db, kind.ownerOf(request), pathId(request, 'serviceaccount_id'))).id,
    lockOwner: async (request, { tx, at }) => {
      const account = await lockAccount(tx, kind.ownerOf(request), { id: pathId(request, 'serviceaccount_id'), at })
      return { owner: programOf(account), noun: 'account', groupId: account.group_id }
    },
  })
}

function onePath(kind: OwnerKind): string {
  return `${kind.path}/:serviceaccount_id`
}

function changeOf(request: FastifyRequest, kind: OwnerKind, change: Change): AccountChange {
  return { ...change, owner: kind.ownerOf(request), permissions: callerOf(request).permissions }
}
