import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Change } from '#foundation/audit/record.ts'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, orgOf, pathId } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { requirePathId } from '#foundation/http/text.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import type { Services } from '#foundation/services.ts'
import {
  createWebhook,
  editWebhook,
  MAX_WEBHOOKS,
  type RequestedChange,
  removeWebhook,
  replaceSecret,
} from './change-webhook.ts'
import {
  ChangedWebhook,
  DEFAULT_GRACE_SECONDS,
  NewSecret,
  NewWebhook,
  parseAttributes,
  parseUrl,
  toResource,
  Webhook,
} from './resource.ts'
import { getWebhook, listWebhooks, webhooksByAge } from './store.ts'

const common = { tags: ['Webhooks'], access: { org: ['org.edit'] } as const, releases: ['2024-10-15'] }
const extension = 'An extension.'

export function webhookRoutes(services: Services, outgoing: Pick<Outgoing, 'judge'>): Routes {
  return (scope) => {
    readRoutes(scope, services)
    createRoute(scope, services, outgoing)
    changeRoutes(scope, services, outgoing)
    secretRoute(scope, services)
  }
}

function readRoutes(scope: Server, { db, keyring, now }: Services): void {
  defineOperation(scope, {
    id: 'listWebhooks',
    at: 'GET /orgs/:org_id/webhooks',
    summary: 'List the webhooks of an organization',
    description: extension,
    ...common,
    query: listQuery(),
    response: { 200: Collection(Webhook) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      const page = await listWebhooks(db, orgOf(request).id, list.window)
      return list.document(page, webhooksByAge, (row) => toResource(row, { keyring, now: now() }))
    },
  })
  defineOperation(scope, {
    id: 'getWebhook',
    at: 'GET /orgs/:org_id/webhooks/:webhook_id',
    summary: 'Read a webhook',
    description: `${extension} The signing secret is never shown.`,
    ...common,
    response: { 200: Single(Webhook) },
    handler: async (request) => {
      const row = await getWebhook(db, orgOf(request).id, pathId(request, 'webhook_id'))
      return single(request, toResource(row, { keyring, now: now() }))
    },
  })
}

function createRoute(scope: Server, services: Services, outgoing: Pick<Outgoing, 'judge'>): void {
  defineOperation(scope, {
    id: 'createWebhook',
    at: 'POST /orgs/:org_id/webhooks',
    summary: 'Create a webhook',
    description: `${extension} The response shows the signing secret once. The caller must hold the permissions to read the data of the events. An organization has at most ${MAX_WEBHOOKS} webhooks.`,
    ...common,
    body: NewWebhook,
    response: { 201: Single(Webhook) },
    handler: async (request, reply) => {
      const { events, url, ...optional } = request.body.data.attributes
      const input = { description: '', isActive: true, events, url: parseUrl(outgoing, url) }
      return answerChange(services, { request, reply }, async (made) => {
        const change = changeOf(request, services, made)
        const { webhook, secret } = await createWebhook(change, { ...input, ...parseAttributes(outgoing, optional) })
        const shown = toResource(webhook, { keyring: services.keyring, now: change.at, secret })
        const body = single(request, shown, `/orgs/${change.org.id}/webhooks/${webhook.id}`)
        return { status: 201, body, headers: { location: `${services.baseUrl}/rest${body.links.self}` } }
      })
    },
  })
}

function changeRoutes(scope: Server, services: Services, outgoing: Pick<Outgoing, 'judge'>): void {
  defineOperation(scope, {
    id: 'updateWebhook',
    at: 'PATCH /orgs/:org_id/webhooks/:webhook_id',
    summary: 'Change, disable or enable a webhook',
    description: `${extension} Omitted attributes stay as they are. Disabling a webhook discards its pending deliveries. To change the URL or add events, the caller must hold the permissions to read the data of the events.`,
    ...common,
    body: ChangedWebhook,
    response: { 200: Single(Webhook) },
    handler: async (request, reply) => {
      const id = pathId(request, 'webhook_id')
      requirePathId(request.body.data.id, id)
      const input = parseAttributes(outgoing, request.body.data.attributes)
      return answerChange(services, { request, reply }, async (change) => {
        const webhook = await editWebhook(changeOf(request, services, change), id, input)
        return {
          status: 200,
          body: single(request, toResource(webhook, { keyring: services.keyring, now: change.at })),
        }
      })
    },
  })
  defineOperation(scope, {
    id: 'deleteWebhook',
    at: 'DELETE /orgs/:org_id/webhooks/:webhook_id',
    summary: 'Delete a webhook, with the log of its deliveries',
    description: extension,
    ...common,
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, (change) =>
        removeWebhook(changeOf(request, services, change), pathId(request, 'webhook_id')),
      ),
  })
}

function secretRoute(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'replaceWebhookSecret',
    at: 'POST /orgs/:org_id/webhooks/:webhook_id/secrets',
    summary: 'Replace the signing secret of a webhook',
    description: `${extension} The response shows the new secret once. During the grace period messages are signed with both; an older secret is revoked immediately. The caller must hold the permissions to read the data of the events.`,
    ...common,
    body: NewSecret,
    response: { 200: Single(Webhook) },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (made) => {
        const change = changeOf(request, services, made)
        const id = pathId(request, 'webhook_id')
        const { grace_seconds: graceSeconds = DEFAULT_GRACE_SECONDS } = request.body.data.attributes
        const { webhook, secret } = await replaceSecret(change, { id, graceSeconds })
        const path = `/orgs/${change.org.id}/webhooks/${id}`
        return {
          status: 200,
          body: single(request, toResource(webhook, { keyring: services.keyring, now: change.at, secret }), path),
        }
      }),
  })
}

function changeOf(request: FastifyRequest, { keyring }: Services, change: Change): RequestedChange {
  return { ...change, keyring, org: orgOf(request), permissions: callerOf(request).permissions }
}
