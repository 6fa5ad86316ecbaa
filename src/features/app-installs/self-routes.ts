import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppSummary, toAppSummary } from '#features/apps/resource.ts'
import { type AppRow, appsByAge, findApp, listAppsOfUser, lockApp } from '#features/apps/store.ts'
import type { Db } from '#foundation/db/database.ts'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { notFound } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { lockInstall } from './change.ts'
import { endAccessOfApp, endSession, removeInstall } from './remove-install.ts'
import { AppSession, expand, OwnInstall, toOwnInstall, toSession } from './resource.ts'
import { hasSession, listSessions, sessionsByAge } from './sessions-store.ts'
import { countInstallsOfAppAndUser, getInstallOfUser, installsByAge, listInstallsOfUser } from './store.ts'

const releases = {
  apps: ['2022-03-11'],
  sessions: ['2023-03-30~experimental', '2023-11-03'],
  installs: ['2023-06-19~experimental', '2023-11-03', '2024-05-23'],
}
// In person: an app could otherwise see and revoke the access of other apps.
const common = { tags: ['App sessions'], access: 'in-person' as const }

/** Apps authorized by the calling user. */
export function selfAppRoutes(services: Services): Routes {
  return (scope) => {
    appRoutes(scope, services)
    sessionRoutes(scope, services)
    installRoutes(scope, services)
  }
}

function appRoutes(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'listSelfApps',
    at: 'GET /self/apps',
    summary: 'List the apps that may act for the calling user',
    ...common,
    releases: releases.apps,
    query: listQuery(),
    response: { 200: Collection(AppSummary) },
    handler: async (request) => {
      const list = listOf(request, services.keyring)
      const page = await listAppsOfUser(services.db, { userId: userId(request) }, list.window)
      return list.lastingDocument(page, appsByAge, toAppSummary)
    },
  })
  defineOperation(scope, {
    id: 'deleteSelfApp',
    at: 'DELETE /self/apps/:app_id',
    summary: 'Revoke the access of an app for the calling user, everywhere and immediately',
    ...common,
    releases: releases.apps,
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const app = await getLockedApp(change.tx, request)
        await endAccessOfApp(change, app, userId(request))
      }),
  })
}

function sessionRoutes(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'listSelfAppSessions',
    at: 'GET /self/apps/:app_id/sessions',
    summary: 'List the sessions of an app that acts for the calling user',
    ...common,
    releases: releases.sessions,
    query: listQuery(),
    response: { 200: Collection(AppSession) },
    handler: async (request) => {
      const { id } = await getAppOfCaller(services.db, request)
      const list = listOf(request, services.keyring)
      const page = await listSessions(services.db, { appId: id, userId: userId(request) }, list.window)
      return list.lastingDocument(page, sessionsByAge, toSession)
    },
  })
  defineOperation(scope, {
    id: 'deleteSelfAppSession',
    at: 'DELETE /self/apps/:app_id/sessions/:session_id',
    summary: 'Revoke one session of an app; its tokens stop working immediately',
    ...common,
    releases: releases.sessions,
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const app = await getAppOfCaller(change.tx, request)
        const session = { id: request.params.session_id.toLowerCase(), userId: userId(request) }
        await endSession(change, app, session)
      }),
  })
}

function installRoutes(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'listSelfAppInstalls',
    at: 'GET /self/apps/installs',
    summary: 'List the places in which the calling user authorized apps',
    ...common,
    releases: releases.installs,
    query: listQuery({ expand }),
    response: { 200: Collection(OwnInstall) },
    handler: async (request) => {
      const list = listOf(request, services.keyring)
      const page = await listInstallsOfUser(services.db, { userId: userId(request) }, list.window)
      return list.lastingDocument(page, installsByAge, toOwnInstall)
    },
  })
  defineOperation(scope, {
    id: 'deleteSelfAppInstall',
    at: 'DELETE /self/apps/installs/:install_id',
    summary: 'Revoke the access of an app for the calling user in one place',
    description: 'Revoking the last place also revokes the sessions of the app.',
    ...common,
    releases: releases.installs,
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const id = request.params.install_id.toLowerCase()
        const install = await lockInstall(change.tx, (db) => getInstallOfUser(db, userId(request), id))
        await removeInstall(change, install)
      }),
  })
}

function userId(request: FastifyRequest): string {
  return callerOf(request).principal.id
}

/** Returns an app that the caller authorized; throws 404 for others. */
async function getAppOfCaller(db: Db, request: FastifyRequest): Promise<AppRow> {
  const id = (request.params as { app_id: string }).app_id.toLowerCase()
  const of = { appId: id, userId: userId(request) }
  const isOfCaller = (await countInstallsOfAppAndUser(db, id, of.userId)) > 0 || (await hasSession(db, of))
  const app = isOfCaller ? await findApp(db, id) : undefined
  if (!app) throw notFound(`App ${id}`)
  return app
}

async function getLockedApp(tx: Db, request: FastifyRequest): Promise<AppRow> {
  await lockApp(tx, (await getAppOfCaller(tx, request)).id)
  // The authorization may have been revoked while the lock was waited for.
  return getAppOfCaller(tx, request)
}
