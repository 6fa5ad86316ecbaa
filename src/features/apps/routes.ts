import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { SecretsAttributes } from '#features/credentials/secrets-request.ts'
import { serveCredentials } from '#features/credentials/serve-credentials.ts'
import type { Db } from '#foundation/db/database.ts'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Single, single, Uuid, Versioned } from '#foundation/http/documents.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { requirePathId } from '#foundation/http/text.ts'
import { notFound } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { changeSecrets, endSecret } from './change-secrets.ts'
import { createApp } from './create-app.ts'
import { editApp } from './edit-app.ts'
import { type AppForm, attributesOf, forms, validateForm } from './form.ts'
import { parseAttributes } from './parse-attributes.ts'
import { removeApp } from './remove-app.ts'
import type { ChangedAttributes, NewAttributes } from './resource.ts'
import { type AppRow, appsByAge, getApp, holdApp, listApps } from './store.ts'

const tags = ['Apps']

/** One set of operations in two sets of clothes: the current form and the deprecated one. */
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
  scope.post(
    form.path,
    {
      config: { access: { org: ['org.app.create'] }, ...datesOf(form, '') },
      schema: {
        operationId: `createApp${form.suffix}`,
        summary: 'Register an app of an organisation',
        description: 'To register an app gives it nothing: whoever lets it in gives it what they hold themselves.',
        tags,
        params: Type.Object({ org_id: Uuid }),
        querystring: Versioned,
        body: form.NewApp,
        response: { 201: Single(form.App) },
      },
      validatorCompiler: validateForm(scope),
    },
    async (request, reply) => {
      const { attributes, at } = attributesOf<NewAttributes>(request.body)
      const wanted = parseAttributes(attributes, { at, now: services.now() })
      return answerChange(services, { request, reply }, async (tx, actor) => {
        const owner = orgOf(request)
        const { app, shown } = await createApp(services, { tx, actor, at: services.now() }, { owner, wanted })
        const body = single(request, form.toResource(app, shown), pathOf(form, app))
        return { status: 201, body, headers: { location: `${services.baseUrl}/rest${body.links.self}` } }
      })
    },
  )
}

function readRoutes(scope: Server, { db, keyring }: Services, form: AppForm): void {
  const access = { org: ['org.app.read'] } as const
  scope.get(
    form.path,
    {
      config: { access, ...datesOf(form, '') },
      schema: {
        operationId: `listApps${form.suffix}`,
        summary: 'List the apps that an organisation registered',
        tags,
        params: Type.Object({ org_id: Uuid }),
        querystring: listQuery(),
        response: { 200: Collection(form.App) },
      },
    },
    async (request) => {
      const list = listOf(request, keyring)
      const page = await listApps(db, orgOf(request).id, list.window)
      return list.lastingDocument(page, appsByAge, (app) => form.toResource(app))
    },
  )
  scope.get(
    onePath(form),
    {
      config: { access, ...datesOf(form, '/:app_id') },
      schema: {
        operationId: `getApp${form.suffix}`,
        summary: 'Read an app of an organisation',
        tags,
        params: oneParams(form),
        querystring: Versioned,
        response: { 200: Single(form.App) },
      },
    },
    async (request) => single(request, form.toResource(await form.getApp(db, orgOf(request).id, appId(request, form)))),
  )
}

function changeRoutes(scope: Server, services: Services, form: AppForm): void {
  scope.patch(
    onePath(form),
    {
      config: { access: { org: ['org.app.edit'] }, ...datesOf(form, '/:app_id') },
      schema: {
        operationId: `updateApp${form.suffix}`,
        summary: 'Change the name, the redirect URIs or the token lifetime of an app',
        description: 'What is not named stays. Tokens that were issued keep their end. Scopes never change.',
        tags,
        params: oneParams(form),
        querystring: Versioned,
        body: form.ChangedApp,
        response: { 200: Single(form.App) },
      },
      validatorCompiler: validateForm(scope),
    },
    async (request, reply) => {
      requirePathId((request.body as { data?: { id?: string } }).data?.id, appId(request, form))
      const wanted = attributesOf<ChangedAttributes>(request.body)
      return answerChange(services, { request, reply }, async (tx, actor) => {
        const app = await editApp({ tx, actor, at: services.now() }, await heldApp(tx, request, form), wanted)
        return { status: 200, body: single(request, form.toResource(app)) }
      })
    },
  )
  scope.delete(
    onePath(form),
    {
      config: { access: { org: ['org.app.delete'] }, ...datesOf(form, '/:app_id') },
      schema: {
        operationId: `deleteApp${form.suffix}`,
        summary: 'Delete an app; its installs, sessions, secrets and tokens are refused at once',
        tags,
        params: oneParams(form),
        querystring: Versioned,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) =>
      answerChange(services, { request, reply }, async (tx, actor) => {
        await removeApp({ tx, actor, at: services.now() }, await heldApp(tx, request, form))
        return { status: 204 }
      }),
  )
}

function secretsRoute(scope: Server, services: Services, form: AppForm): void {
  scope.post(
    `${onePath(form)}/secrets`,
    {
      config: { access: { org: ['org.app.edit'] }, ...datesOf(form, '/:app_id/secrets') },
      schema: {
        operationId: `manageAppSecrets${form.suffix}`,
        summary: 'Make, replace or delete client secrets of an app',
        tags,
        params: oneParams(form),
        querystring: Versioned,
        body: form.AppSecrets,
        response: { 200: Single(form.App) },
      },
      validatorCompiler: validateForm(scope),
    },
    async (request, reply) => {
      const { attributes, at } = attributesOf<SecretsAttributes>(request.body)
      return answerChange(services, { request, reply }, async (tx, actor) => {
        const app = await heldApp(tx, request, form)
        const shown = await changeSecrets(services, { tx, actor, at: services.now() }, { app, attributes, at })
        return { status: 200, body: single(request, form.toResource(app, shown), pathOf(form, app)) }
      })
    },
  )
}

function credentialRoutes(scope: Server, services: Services): void {
  const [form] = forms as [AppForm]
  serveCredentials(scope, services, {
    path: onePath(form),
    params: oneParams(form).properties,
    access: { read: { org: ['org.app.read'] }, edit: { org: ['org.app.edit'] } },
    operations: 'App',
    noun: 'an app',
    tags,
    getOwnerId: async (request) => (await getApp(services.db, orgOf(request).id, appId(request, form))).id,
    endSecret: async (request, made, secretId) => endSecret(made, await heldApp(made.tx, request, form), secretId),
  })
}

/** The app of the path, held until the transaction ends. */
async function heldApp(tx: Db, request: FastifyRequest, form: AppForm): Promise<AppRow> {
  const id = appId(request, form)
  const found = await form.getApp(tx, orgOf(request).id, id)
  const held = await holdApp(tx, found.id)
  if (!held) throw notFound(`App ${id}`)
  return held
}

function datesOf({ releases, deprecation }: AppForm, below: Parameters<AppForm['deprecation']>[0]) {
  const deprecated = deprecation(below)
  return { releases, ...(deprecated && { deprecation: deprecated }) }
}

function onePath(form: AppForm): string {
  return `${form.path}/:${form.idName}`
}

function oneParams(form: AppForm) {
  return Type.Object({ org_id: Uuid, [form.idName]: Uuid })
}

function appId(request: FastifyRequest, { idName }: AppForm): string {
  return (request.params as Record<typeof idName, string>)[idName].toLowerCase()
}

/** Path of one app, without `/rest`. */
function pathOf(form: AppForm, app: AppRow): string {
  return `${form.path.replace(':org_id', app.org_id)}/${form.idOf(app)}`
}
