import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppSummary, toAppSummary } from '#features/apps/resource.ts'
import { type AppRow, appsByAge, findApp, holdApp, listAppsOfUser } from '#features/apps/store.ts'
import type { Db } from '#foundation/db/database.ts'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Uuid, Versioned } from '#foundation/http/documents.ts'
import { callerOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { notFound } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { holdInstall } from './change.ts'
import { endAccessOfApp, endSession, removeInstall } from './remove-install.ts'
import { AppSession, expand, OwnInstall, toOwnInstall, toSession } from './resource.ts'
import { hasSession, listSessions, sessionsByAge } from './sessions-store.ts'
import { countInstallsOfAppAndUser, getInstallOfUser, installsByAge, listInstallsOfUser } from './store.ts'

const releases = {
  apps: ['2022-03-11'],
  sessions: ['2023-03-30~experimental', '2023-11-03'],
  installs: ['2023-06-19~experimental', '2023-11-03', '2024-05-23'],
}
const tags = ['App sessions']
// An app could otherwise look at, and end, what other apps may do for the user.
const access = 'in-person'

/** What the calling user let act for them. */
export function selfAppRoutes(services: Services): Routes {
  return (scope) => {
    appRoutes(scope, services)
    sessionRoutes(scope, services)
    installRoutes(scope, services)
  }
}

function appRoutes(scope: Server, services: Services): void {
  scope.get(
    '/self/apps',
    {
      config: { access, releases: releases.apps },
      schema: {
        operationId: 'listSelfApps',
        summary: 'List the apps that may act for the calling user',
        tags,
        querystring: listQuery(),
        response: { 200: Collection(AppSummary) },
      },
    },
    async (request) => {
      const list = listOf(request, services.keyring)
      return list.lastingDocument(
        await listAppsOfUser(services.db, userId(request), list.window),
        appsByAge,
        toAppSummary,
      )
    },
  )
  scope.delete(
    '/self/apps/:app_id',
    {
      config: { access, releases: releases.apps },
      schema: {
        operationId: 'deleteSelfApp',
        summary: 'End all that an app may do for the calling user, everywhere and at once',
        tags,
        params: Type.Object({ app_id: Uuid }),
        querystring: Versioned,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) =>
      answerChange(services, { request, reply }, async (tx, actor) => {
        const app = await heldApp(tx, request)
        await endAccessOfApp({ tx, actor, at: services.now() }, app, userId(request))
        return { status: 204 }
      }),
  )
}

function sessionRoutes(scope: Server, services: Services): void {
  scope.get(
    '/self/apps/:app_id/sessions',
    {
      config: { access, releases: releases.sessions },
      schema: {
        operationId: 'listSelfAppSessions',
        summary: 'List the sessions of an app that acts for the calling user',
        tags,
        params: Type.Object({ app_id: Uuid }),
        querystring: listQuery(),
        response: { 200: Collection(AppSession) },
      },
    },
    async (request) => {
      const { id } = await getAppOfCaller(services.db, request)
      const list = listOf(request, services.keyring)
      const page = await listSessions(services.db, { appId: id, userId: userId(request) }, list.window)
      return list.lastingDocument(page, sessionsByAge, toSession)
    },
  )
  scope.delete(
    '/self/apps/:app_id/sessions/:session_id',
    {
      config: { access, releases: releases.sessions },
      schema: {
        operationId: 'deleteSelfAppSession',
        summary: 'End one session of an app; its tokens are refused at once',
        tags,
        params: Type.Object({ app_id: Uuid, session_id: Uuid }),
        querystring: Versioned,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) =>
      answerChange(services, { request, reply }, async (tx, actor) => {
        const app = await getAppOfCaller(tx, request)
        const session = { id: request.params.session_id.toLowerCase(), userId: userId(request) }
        await endSession({ tx, actor, at: services.now() }, app, session)
        return { status: 204 }
      }),
  )
}

function installRoutes(scope: Server, services: Services): void {
  scope.get(
    '/self/apps/installs',
    {
      config: { access, releases: releases.installs },
      schema: {
        operationId: 'listSelfAppInstalls',
        summary: 'List where the calling user let apps act',
        tags,
        querystring: listQuery({ expand }),
        response: { 200: Collection(OwnInstall) },
      },
    },
    async (request) => {
      const list = listOf(request, services.keyring)
      const page = await listInstallsOfUser(services.db, userId(request), list.window)
      return list.lastingDocument(page, installsByAge, toOwnInstall)
    },
  )
  scope.delete(
    '/self/apps/installs/:install_id',
    {
      config: { access, releases: releases.installs },
      schema: {
        operationId: 'deleteSelfAppInstall',
        summary: 'End what an app may do for the calling user in one place',
        description: 'With the last place that the user let the app into, its sessions end too.',
        tags,
        params: Type.Object({ install_id: Uuid }),
        querystring: Versioned,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) =>
      answerChange(services, { request, reply }, async (tx, actor) => {
        const id = request.params.install_id.toLowerCase()
        const install = await holdInstall(tx, (db) => getInstallOfUser(db, userId(request), id))
        await removeInstall({ tx, actor, at: services.now() }, install)
        return { status: 204 }
      }),
  )
}

function userId(request: FastifyRequest): string {
  return callerOf(request).principal.id
}

/** An app that has something to do with the caller: others are none of their business. */
async function getAppOfCaller(db: Db, request: FastifyRequest): Promise<AppRow> {
  const id = (request.params as { app_id: string }).app_id.toLowerCase()
  const of = { appId: id, userId: userId(request) }
  const isOfCaller = (await countInstallsOfAppAndUser(db, id, of.userId)) > 0 || (await hasSession(db, of))
  const app = isOfCaller ? await findApp(db, id) : undefined
  if (!app) throw notFound(`App ${id}`)
  return app
}

async function heldApp(tx: Db, request: FastifyRequest): Promise<AppRow> {
  await holdApp(tx, (await getAppOfCaller(tx, request)).id)
  // What it found may have gone while it was waited for.
  return getAppOfCaller(tx, request)
}
