import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { programOfInstall } from '#features/apps/change.ts'
import { parseLimits } from '#features/credentials/limits.ts'
import { serveCredentials } from '#features/credentials/serve-credentials.ts'
import type { Db } from '#foundation/db/database.ts'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Single, single, singleQuery } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, pathId } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { addInstall } from './add-install.ts'
import { lockInstall } from './change.ts'
import { changeSecrets } from './change-secrets.ts'
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

const common = { tags: ['App installs'], releases: ['2023-06-19~experimental', '2023-11-03', '2024-05-23'] }

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
  defineOperation(scope, {
    id: `create${kind.level}AppInstall`,
    at: `POST ${kind.path}`,
    summary: `Install an unattended app in ${kind.noun}`,
    description: 'The caller must hold every permission of the app’s scopes.',
    ...common,
    access: kind.access('install'),
    body: NewInstall,
    response: { 201: Single(CreatedInstall) },
    handler: async (request, reply) => {
      const app = parseApp(request.body)
      const limits = parseLimits(request.body.data.attributes ?? {}, services.now())
      return answerChange(services, { request, reply }, async (change) => {
        const input = { app, place: kind.ownerOf(request), permissions: callerOf(request).permissions, limits }
        const { install, secret } = await addInstall(services, change, input)
        const body = single(request, toCreated(install, secret), pathOf(request, kind, install))
        return { status: 201, body, headers: { location: `${services.baseUrl}/rest${body.links.self}` } }
      })
    },
  })
}

function readRoutes(scope: Server, { db, keyring }: Services, kind: PlaceKind): void {
  const access = kind.access('read')
  defineOperation(scope, {
    id: `list${kind.level}AppInstalls`,
    at: `GET ${kind.path}`,
    summary: `List the apps installed in ${kind.noun}`,
    description: 'Unattended apps, and apps that users authorized, whose installs have no client of their own.',
    ...common,
    access,
    query: listQuery({ expand }),
    response: { 200: Collection(AppInstall) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      const page = await listInstalls(db, kind.ownerOf(request), list.window)
      return list.lastingDocument(page, installsByAge, (install) => toResource(install))
    },
  })
  defineOperation(scope, {
    id: `get${kind.level}AppInstall`,
    at: `GET ${onePath(kind)}`,
    summary: `Read an install of ${kind.noun}`,
    description: 'An extension.',
    ...common,
    access,
    query: singleQuery({ expand }),
    response: { 200: Single(AppInstall) },
    handler: async (request) =>
      single(request, toResource(await getInstall(db, kind.ownerOf(request), pathId(request, 'install_id')))),
  })
}

function deleteRoute(scope: Server, services: Services, kind: PlaceKind): void {
  defineOperation(scope, {
    id: `delete${kind.level}AppInstall`,
    at: `DELETE ${onePath(kind)}`,
    summary: `Revoke an install of ${kind.noun}; its credentials stop working immediately`,
    ...common,
    access: kind.access('install'),
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (change) =>
        removeInstall(change, await getLockedInstall(change.tx, request, kind)),
      ),
  })
}

function secretsRoutes(scope: Server, services: Services, kind: PlaceKind): void {
  defineOperation(scope, {
    id: `manage${kind.level}AppInstallSecrets`,
    at: `POST ${onePath(kind)}/secrets`,
    summary: `Create, replace or delete client secrets of an install of ${kind.noun}`,
    description: 'To create one, the caller must hold every permission of the app’s scopes.',
    ...common,
    access: kind.access('edit'),
    body: InstallSecrets,
    response: { 200: Single(AppInstall) },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const install = await getLockedInstall(change.tx, request, kind)
        const shown = await changeSecrets(services, change, {
          install,
          attributes: request.body.data.attributes,
          permissions: callerOf(request).permissions,
        })
        return { status: 200, body: single(request, toResource(install, shown), pathOf(request, kind, install)) }
      }),
  })
  serveCredentials(scope, services, {
    path: onePath(kind),
    access: { read: kind.access('read'), edit: kind.access('edit') },
    operations: `${kind.level}AppInstall`,
    noun: `an install of ${kind.noun}`,
    tags: common.tags,
    getOwnerId: async (request) =>
      (await getInstall(services.db, kind.ownerOf(request), pathId(request, 'install_id'))).id,
    lockOwner: async (request, { tx }) => {
      const install = await getLockedInstall(tx, request, kind)
      return { owner: programOfInstall(install, install.app_name), noun: 'install', groupId: install.group_id }
    },
  })
}

function getLockedInstall(tx: Db, request: FastifyRequest, kind: PlaceKind): Promise<InstallRow> {
  return lockInstall(tx, (db) => getInstall(db, kind.ownerOf(request), pathId(request, 'install_id')))
}

function onePath(kind: PlaceKind): string {
  return `${kind.path}/:install_id`
}

/** Path of one install, without `/rest`. */
function pathOf(request: FastifyRequest, kind: PlaceKind, { id }: InstallRow): string {
  return `${kind.pathOf(kind.ownerOf(request))}/${id}`
}
