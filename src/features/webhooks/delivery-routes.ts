import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { DELIVERY_HOURS } from '#foundation/events/add-event.ts'
import { answerAgain, answerChange } from '#foundation/http/change.ts'
import { clientSignal } from '#foundation/http/client-signal.ts'
import { Collection, listOf, listQuery, Single, single, Uuid, Versioned } from '#foundation/http/documents.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { createSlots } from '#foundation/outgoing/slots.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { audit } from './change-webhook.ts'
import { deliveriesByAge, getDelivery, listDeliveries, sendAgain } from './deliveries-store.ts'
import {
  Delivery,
  DeliveryWithPayload,
  oneParams,
  State,
  toDelivery,
  toDeliveryWithPayload,
} from './delivery-resource.ts'
import { logPing, sendPing } from './ping.ts'
import { getWebhook, holdWebhook } from './store.ts'

const config = { access: { org: ['org.edit'] }, releases: ['2024-10-15'] } as const
const tags = ['Webhooks']
const extension = 'An extension: the interface documents have no such operation.'
const ofWebhook = Type.Object({ org_id: Uuid, webhook_id: Uuid })

/** What became of the events that were for a webhook. */
export function deliveryRoutes(services: Services, outgoing: Outgoing): Routes {
  return (scope) => {
    readRoutes(scope, services)
    redeliverRoute(scope, services)
    testRoute(scope, services, outgoing)
  }
}

function readRoutes(scope: Server, { db, keyring }: Services): void {
  scope.get(
    '/orgs/:org_id/webhooks/:webhook_id/deliveries',
    {
      config,
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'Read the log of a webhook’s deliveries',
        description: `${extension} Newest first. The log is kept for a number of days that the operator chooses.`,
        tags,
        params: ofWebhook,
        querystring: listQuery({ state: Type.Optional(State) }),
        response: { 200: Collection(Delivery) },
      },
    },
    async (request) => {
      const list = listOf(request, keyring)
      const webhook = await getWebhook(db, orgOf(request).id, idOf(request, 'webhook_id'))
      const wanted = { webhookId: webhook.id, state: request.query.state }
      return list.document(await listDeliveries(db, wanted, list.window), deliveriesByAge, toDelivery)
    },
  )
  scope.get(
    '/orgs/:org_id/webhooks/:webhook_id/deliveries/:delivery_id',
    {
      config,
      schema: {
        operationId: 'getWebhookDelivery',
        summary: 'Read a delivery with what is sent',
        description: extension,
        tags,
        params: oneParams,
        querystring: Versioned,
        response: { 200: Single(DeliveryWithPayload) },
      },
    },
    async (request) => {
      const webhook = await getWebhook(db, orgOf(request).id, idOf(request, 'webhook_id'))
      return single(request, toDeliveryWithPayload(await getDelivery(db, webhook.id, idOf(request, 'delivery_id'))))
    },
  )
}

function redeliverRoute(scope: Server, services: Services): void {
  scope.post(
    '/orgs/:org_id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
    {
      config,
      schema: {
        operationId: 'redeliverWebhookDelivery',
        summary: 'Send an event again, whatever became of it',
        description: `${extension} It has the same webhook-id as before, and is tried for ${DELIVERY_HOURS} hours from now.`,
        tags,
        params: oneParams,
        querystring: Versioned,
        response: { 202: Single(Delivery) },
      },
    },
    async (request, reply) =>
      answerChange(services, { request, reply }, async (tx, actor) => {
        const [org, at] = [orgOf(request), services.now()]
        const webhook = await holdWebhook(tx, org.id, idOf(request, 'webhook_id'))
        const { id, state } = await getDelivery(tx, webhook.id, idOf(request, 'delivery_id'))
        if (webhook.is_active === 0) {
          throw new Problem('conflict', 'The webhook is switched off; switch it on first')
        }
        await sendAgain(tx, id, { at, givesUpAt: at + DELIVERY_HOURS * 3_600_000 })
        await audit({ tx, actor, org, at }, webhook, {
          action: 'redeliver',
          before: { state },
          after: { delivery_id: id },
        })
        const path = `/orgs/${org.id}/webhooks/${webhook.id}/deliveries/${id}`
        return { status: 202, body: single(request, toDelivery(await getDelivery(tx, webhook.id, id)), path) }
      }),
  )
}

/** Sends outside of the transaction: a receiver may take its time, and storage has one writer. */
function testRoute(scope: Server, services: Services, outgoing: Outgoing): void {
  const slots = createSlots(1)
  scope.post(
    '/orgs/:org_id/webhooks/:webhook_id/test',
    {
      config,
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a message to a webhook now and see what comes back',
        description: `${extension} Sends \`webhook.ping\`, once, also to a webhook that is switched off, and answers with the entry of the log. A receiver that fails is no failure of this request.`,
        tags,
        params: ofWebhook,
        querystring: Versioned,
        response: { 200: Single(DeliveryWithPayload) },
      },
    },
    async (request, reply) => {
      if (await answerAgain(services, { request, reply })) return reply
      const org = orgOf(request)
      const webhook = await getWebhook(services.db, org.id, idOf(request, 'webhook_id'))
      const signal = clientSignal(reply)
      const ping = await slots.run(webhook.id, { signal }, () => sendPing({ ...services, outgoing }, webhook, signal))
      if (ping.outcome.status === null) signal.throwIfAborted()
      return answerChange(services, { request, reply }, async (tx, actor) => {
        const held = await holdWebhook(tx, org.id, webhook.id)
        await logPing(tx, held, ping)
        const { isTaken, status } = ping.outcome
        await audit({ tx, actor, org, at: services.now() }, held, {
          action: 'test',
          after: { delivery_id: ping.deliveryId, is_taken: isTaken, status },
        })
        const shown = toDeliveryWithPayload(await getDelivery(tx, held.id, ping.deliveryId))
        const path = `/orgs/${org.id}/webhooks/${held.id}/deliveries/${ping.deliveryId}`
        return { status: 200, body: single(request, shown, path) }
      })
    },
  )
}

function idOf(request: FastifyRequest, name: 'webhook_id' | 'delivery_id'): string {
  return (request.params as Record<typeof name, string>)[name].toLowerCase()
}
