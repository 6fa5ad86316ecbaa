import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { SecretsAttributes } from '#features/credentials/secrets-request.ts'
import { serveCredentials } from '#features/credentials/serve-credentials.ts'
import type { Db } from '#foundation/db/database.ts'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { requirePathId } from '#foundation/http/text.ts'
import { notFound } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { programOf } from './change.ts'
import { changeSecrets } from './change-secrets.ts'
import { createApp } from './create-app.ts'
import { editApp } from './edit-app.ts'
import { type AppForm, attributesOf, forms, validateForm } from './form.ts'
import { parseAttributes } from './parse-attributes.ts'
import { removeApp } from './remove-app.ts'
import type { ChangedAttributes, NewAttributes } from './resource.ts'
import { type AppRow, appsByAge, getApp, listApps, lockApp } from './store.ts'

const tags = ['Apps']

/** Registers the app operations in their current and deprecated formats. */
export function appRoutes(services: Services): Routes {
  return (scope) => {
    for (const form of forms) {
      createRoute(scope, services, form)
      readRoutes(scope, services, form)
      changeRoutes(scope, services, form)
      secretsRoute(scope, services, form)
    }
    credentialRoutes(scope, services)
  }
}

function createRoute(scope: Server, services: Services, form: AppForm): void {
  defineOperation(scope, {
    id: `createApp${form.suffix}`,
    at: `POST ${form.path}`,
    summary: 'Register an app of an organization',
    description: 'Registering an app gives it no access. Users who authorize it grant it permissions that they hold.',
    tags,
    access: { org: ['org.app.create'] },
    ...datesOf(form, ''),
    validatorCompiler: validateForm(scope),
    body: form.NewApp,
    response: { 201: Single(form.App) },
    handler: async (request, reply) => {
      const { attributes, at } = attributesOf<NewAttributes>(request.body)
      const input = parseAttributes(attributes, { at, now: services.now() })
      return answerChange(services, { request, reply }, async (change) => {
        const owner = orgOf(request)
        const { app, shown } = await createApp(services, change, { owner, input })
        const body = single(request, form.toResource(app, shown), pathOf(form, app))
        return { status: 201, body, headers: { location: `${services.baseUrl}/rest${body.links.self}` } }
      })
    },
  })
}

function readRoutes(scope: Server, { db, keyring }: Services, form: AppForm): void {
  const access = { org: ['org.app.read'] } as const
  defineOperation(scope, {
    id: `listApps${form.suffix}`,
    at: `GET ${form.path}`,
    summary: 'List the apps of an organization',
    tags,
    access,
    ...datesOf(form, ''),
    query: listQuery(),
    response: { 200: Collection(form.App) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      const page = await listApps(db, { orgId: orgOf(request).id }, list.window)
      return list.lastingDocument(page, appsByAge, (app) => form.toResource(app))
    },
  })
  defineOperation(scope, {
    id: `getApp${form.suffix}`,
    at: `GET ${onePath(form)}`,
    summary: 'Read an app of an organization',
    tags,
    access,
    ...datesOf(form, '/:app_id'),
    response: { 200: Single(form.App) },
    handler: async (request) =>
      single(request, form.toResource(await form.getApp(db, orgOf(request).id, appId(request, form)))),
  })
}

function changeRoutes(scope: Server, services: Services, form: AppForm): void {
  defineOperation(scope, {
    id: `updateApp${form.suffix}`,
    at: `PATCH ${onePath(form)}`,
    summary: 'Change the name, the redirect URIs or the token lifetime of an app',
    description:
      'Omitted attributes stay as they are. Tokens already issued keep their expiry. Scopes never change. To add a redirect URI, the caller must hold every permission of the scopes.',
    tags,
    access: { org: ['org.app.edit'] },
    ...datesOf(form, '/:app_id'),
    validatorCompiler: validateForm(scope),
    body: form.ChangedApp,
    response: { 200: Single(form.App) },
    handler: async (request, reply) => {
      requirePathId((request.body as { data?: { id?: string } }).data?.id, appId(request, form))
      const input = { ...attributesOf<ChangedAttributes>(request.body), permissions: callerOf(request).permissions }
      return answerChange(services, { request, reply }, async (change) => {
        const app = await editApp(change, await getLockedApp(change.tx, request, form), input)
        return { status: 200, body: single(request, form.toResource(app)) }
      })
    },
  })
  defineOperation(scope, {
    id: `deleteApp${form.suffix}`,
    at: `DELETE ${onePath(form)}`,
    summary: 'Delete an app; its installs, sessions and credentials stop working immediately',
    tags,
    access: { org: ['org.app.delete'] },
    ...datesOf(form, '/:app_id'),
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (change) =>
        removeApp(change, await getLockedApp(change.tx, request, form)),
      ),
  })
}

function secretsRoute(scope: Server, services: Services, form: AppForm): void {
  defineOperation(scope, {
    id: `manageAppSecrets${form.suffix}`,
    at: `POST ${onePath(form)}/secrets`,
    summary: 'Create, replace or delete client secrets of an app',
    description: 'To create one, the caller must hold every permission of the app’s scopes.',
    tags,
    access: { org: ['org.app.edit'] },
    ...datesOf(form, '/:app_id/secrets'),
    validatorCompiler: validateForm(scope),
    body: form.AppSecrets,
    response: { 200: Single(form.App) },
    handler: async (request, reply) => {
      const { attributes, at } = attributesOf<SecretsAttributes>(request.body)
      return answerChange(services, { request, reply }, async (change) => {
        const app = await getLockedApp(change.tx, request, form)
        const { permissions: own } = callerOf(request)
        const shown = await changeSecrets(services, change, { app, attributes, at, permissions: own })
        return { status: 200, body: single(request, form.toResource(app, shown), pathOf(form, app)) }
      })
    },
  })
}

function credentialRoutes(scope: Server, services: Services): void {
  const [form] = forms as [AppForm]
  serveCredentials(scope, services, {
    path: onePath(form),
    access: { read: { org: ['org.app.read'] }, edit: { org: ['org.app.edit'] } },
    operations: 'App',
    noun: 'an app',
    tags,
    getOwnerId: async (request) => (await getApp(services.db, orgOf(request).id, appId(request, form))).id,
    lockOwner: async (request, { tx }) => {
      const app = await getLockedApp(tx, request, form)
      return { owner: programOf(app), noun: 'app', groupId: app.group_id }
    },
  })
}

/** Locks the app of the path until the transaction ends. */
async function getLockedApp(tx: Db, request: FastifyRequest, form: AppForm): Promise<AppRow> {
  const id = appId(request, form)
  const app = await form.getApp(tx, orgOf(request).id, id)
  const locked = await lockApp(tx, app.id)
  if (!locked) throw notFound(`App ${id}`)
  return locked
}

function datesOf({ releases, deprecation }: AppForm, below: Parameters<AppForm['deprecation']>[0]) {
  const deprecated = deprecation(below)
  return { releases, ...(deprecated && { deprecation: deprecated }) }
}

function onePath(form: AppForm): string {
  return `${form.path}/:${form.idName}`
}

function appId(request: FastifyRequest, { idName }: AppForm): string {
  return (request.params as Record<typeof idName, string>)[idName].toLowerCase()
}

/** Path of one app, without `/rest`. */
function pathOf(form: AppForm, app: AppRow): string {
  return `${form.path.replace(':org_id', app.org_id)}/${form.idOf(app)}`
}
