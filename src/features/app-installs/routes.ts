import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { parseLimits } from '#features/credentials/limits.ts'
import { serveCredentials } from '#features/credentials/serve-credentials.ts'
import type { Db } from '#foundation/db/database.ts'
import { answerChange } from '#foundation/http/change.ts'
import {
  Collection,
  listOf,
  listQuery,
  Single,
  single,
  singleQuery,
  Uuid,
  Versioned,
} from '#foundation/http/documents.ts'
import { callerOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { addInstall } from './add-install.ts'
import { holdInstall } from './change.ts'
import { changeSecrets, endSecret } from './change-secrets.ts'
import { groups, orgs, type PlaceKind } from './place-kind.ts'
import { removeInstall } from './remove-install.ts'
import {
  AppInstall,
  CreatedInstall,
  expand,
  InstallSecrets,
  NewInstall,
  parseApp,
  toCreated,
  toResource,
} from './resource.ts'
import { getInstall, type InstallRow, installsByAge, listInstalls } from './store.ts'

const releases = ['2023-06-19~experimental', '2023-11-03', '2024-05-23']
const tags = ['App installs']

/** The same operations for installs into organisations and for those into groups. */
export function appInstallRoutes(services: Services): Routes {
  return (scope) => {
    for (const kind of [orgs, groups]) {
      createRoute(scope, services, kind)
      readRoutes(scope, services, kind)
      deleteRoute(scope, services, kind)
      secretsRoutes(scope, services, kind)
    }
  }
}

function createRoute(scope: Server, services: Services, kind: PlaceKind): void {
  scope.post(
    kind.path,
    {
      config: { access: kind.access('install'), releases },
      schema: {
        operationId: `create${kind.level}AppInstall`,
        summary: `Install an app that acts unattended into ${kind.noun}`,
        description: 'The caller must hold every permission that the app’s scopes stand for.',
        tags,
        params: Type.Object(kind.params),
        querystring: Versioned,
        body: NewInstall,
        response: { 201: Single(CreatedInstall) },
      },
    },
    async (request, reply) => {
      const app = parseApp(request.body)
      const limits = parseLimits(request.body.data.attributes ?? {}, services.now())
      return answerChange(services, { request, reply }, async (tx, actor) => {
        const wanted = { app, place: kind.placeOf(request), held: callerOf(request).permissions, limits }
        const { install, secret } = await addInstall(services, { tx, actor, at: services.now() }, wanted)
        const body = single(request, toCreated(install, secret), pathOf(request, kind, install))
        return { status: 201, body, headers: { location: `${services.baseUrl}/rest${body.links.self}` } }
      })
    },
  )
}

function readRoutes(scope: Server, { db, keyring }: Services, kind: PlaceKind): void {
  const access = kind.access('read')
  scope.get(
    kind.path,
    {
      config: { access, releases },
      schema: {
        operationId: `list${kind.level}AppInstalls`,
        summary: `List the apps that may act in ${kind.noun}`,
        description: 'Unattended ones, and those that people let in, which have no client of their own.',
        tags,
        params: Type.Object(kind.params),
        querystring: listQuery({ expand }),
        response: { 200: Collection(AppInstall) },
      },
    },
    async (request) => {
      const list = listOf(request, keyring)
      const page = await listInstalls(db, kind.placeOf(request), list.window)
      return list.lastingDocument(page, installsByAge, (install) => toResource(install))
    },
  )
  scope.get(
    onePath(kind),
    {
      config: { access, releases },
      schema: {
        operationId: `get${kind.level}AppInstall`,
        summary: `Read an install of ${kind.noun}`,
        description: 'An extension: the interface documents have no such operation.',
        tags,
        params: oneParams(kind),
        querystring: singleQuery({ expand }),
        response: { 200: Single(AppInstall) },
      },
    },
    async (request) => single(request, toResource(await getInstall(db, kind.placeOf(request), installId(request)))),
  )
}

function deleteRoute(scope: Server, services: Services, kind: PlaceKind): void {
  scope.delete(
    onePath(kind),
    {
      config: { access: kind.access('install'), releases },
      schema: {
        operationId: `delete${kind.level}AppInstall`,
        summary: `Revoke an install of ${kind.noun}; its secrets and tokens are refused at once`,
        tags,
        params: oneParams(kind),
        querystring: Versioned,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) =>
      answerChange(services, { request, reply }, async (tx, actor) => {
        await removeInstall({ tx, actor, at: services.now() }, await heldInstall(tx, request, kind))
        return { status: 204 }
      }),
  )
}

function secretsRoutes(scope: Server, services: Services, kind: PlaceKind): void {
  scope.post(
    `${onePath(kind)}/secrets`,
    {
      config: { access: kind.access('edit'), releases },
      schema: {
        operationId: `manage${kind.level}AppInstallSecrets`,
        summary: `Make, replace or delete client secrets of an install of ${kind.noun}`,
        description: 'To make one, the caller must hold every permission that the app’s scopes stand for.',
        tags,
        params: oneParams(kind),
        querystring: Versioned,
        body: InstallSecrets,
        response: { 200: Single(AppInstall) },
      },
    },
    async (request, reply) =>
      answerChange(services, { request, reply }, async (tx, actor) => {
        const install = await heldInstall(tx, request, kind)
        const shown = await changeSecrets(
          services,
          { tx, actor, at: services.now() },
          { install, attributes: request.body.data.attributes, held: callerOf(request).permissions },
        )
        return { status: 200, body: single(request, toResource(install, shown), pathOf(request, kind, install)) }
      }),
  )
  serveCredentials(scope, services, {
    path: onePath(kind),
    params: oneParams(kind).properties,
    access: { read: kind.access('read'), edit: kind.access('edit') },
    operations: `${kind.level}AppInstall`,
    noun: `an install of ${kind.noun}`,
    tags,
    getOwnerId: async (request) => (await getInstall(services.db, kind.placeOf(request), installId(request))).id,
    endSecret: async (request, made, secretId) => endSecret(made, await heldInstall(made.tx, request, kind), secretId),
  })
}

function heldInstall(tx: Db, request: FastifyRequest, kind: PlaceKind): Promise<InstallRow> {
  return holdInstall(tx, (db) => getInstall(db, kind.placeOf(request), installId(request)))
}

function onePath(kind: PlaceKind): string {
  return `${kind.path}/:install_id`
}

function oneParams(kind: PlaceKind) {
  return Type.Object({ ...kind.params, install_id: Uuid })
}

function installId(request: FastifyRequest): string {
  return (request.params as { install_id: string }).install_id.toLowerCase()
}

/** Path of one install, without `/rest`. */
function pathOf(request: FastifyRequest, kind: PlaceKind, { id }: InstallRow): string {
  return `${kind.pathOf(kind.placeOf(request))}/${id}`
}
