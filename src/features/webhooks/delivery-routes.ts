import { Type } from 'typebox'
import { recordAudit } from '#foundation/audit/record.ts'
import { DELIVERY_HOURS } from '#foundation/events/add-event.ts'
import { answerAgain, answerChange } from '#foundation/http/change.ts'
import { clientSignal } from '#foundation/http/client-signal.ts'
import { Collection, listOf, listQuery, Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, orgOf, pathId } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { createSlots } from '#foundation/outgoing/slots.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { deliveriesByAge, getDelivery, listDeliveries, sendAgain } from './deliveries-store.ts'
import { Delivery, DeliveryWithPayload, State, toDelivery, toDeliveryWithPayload } from './delivery-resource.ts'
import { requireMayRead } from './event-permissions.ts'
import { logPing, sendPing } from './ping.ts'
import { getWebhook, lockWebhook } from './store.ts'

const common = { tags: ['Webhooks'], access: { org: ['org.edit'] } as const, releases: ['2024-10-15'] }
const extension = 'An extension.'

export function deliveryRoutes(services: Services, outgoing: Outgoing): Routes {
  return (scope) => {
    readRoutes(scope, services)
    redeliverRoute(scope, services)
    testRoute(scope, services, outgoing)
  }
}

function readRoutes(scope: Server, { db, keyring }: Services): void {
  defineOperation(scope, {
    id: 'listWebhookDeliveries',
    at: 'GET /orgs/:org_id/webhooks/:webhook_id/deliveries',
    summary: 'Read the log of a webhook’s deliveries',
    description: `${extension} Newest first. The operator sets for how many days deliveries are kept.`,
    ...common,
    query: listQuery({ state: Type.Optional(State) }),
    response: { 200: Collection(Delivery) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      const webhook = await getWebhook(db, orgOf(request).id, pathId(request, 'webhook_id'))
      const input = { webhookId: webhook.id, state: request.query.state }
      return list.document(await listDeliveries(db, input, list.window), deliveriesByAge, toDelivery)
    },
  })
  defineOperation(scope, {
    id: 'getWebhookDelivery',
    at: 'GET /orgs/:org_id/webhooks/:webhook_id/deliveries/:delivery_id',
    summary: 'Read a delivery with its body',
    description: `${extension} The caller must hold the permissions to read the data of the event.`,
    ...common,
    response: { 200: Single(DeliveryWithPayload) },
    handler: async (request) => {
      const webhook = await getWebhook(db, orgOf(request).id, pathId(request, 'webhook_id'))
      const delivery = await getDelivery(db, webhook.id, pathId(request, 'delivery_id'))
      requireMayRead(callerOf(request).permissions, [delivery.type])
      return single(request, toDeliveryWithPayload(delivery))
    },
  })
}

function redeliverRoute(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'redeliverWebhookDelivery',
    at: 'POST /orgs/:org_id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
    summary: 'Send an event again, whatever the state of its delivery',
    description: `${extension} It keeps its webhook-id, and is retried for up to ${DELIVERY_HOURS} hours.`,
    ...common,
    response: { 202: Single(Delivery) },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const { tx, at } = change
        const org = orgOf(request)
        const webhook = await lockWebhook(tx, org.id, pathId(request, 'webhook_id'))
        const { id, state } = await getDelivery(tx, webhook.id, pathId(request, 'delivery_id'))
        if (webhook.is_active === 0) {
          throw new Problem('conflict', 'The webhook is disabled. Enable it first.')
        }
        await sendAgain(tx, id, { at, givesUpAt: at + DELIVERY_HOURS * 3_600_000 })
        await recordAudit(
          change,
          { id: webhook.id, org },
          {
            action: 'webhook.redeliver',
            before: { state },
            after: { delivery_id: id },
          },
        )
        const path = `/orgs/${org.id}/webhooks/${webhook.id}/deliveries/${id}`
        return { status: 202, body: single(request, toDelivery(await getDelivery(tx, webhook.id, id)), path) }
      }),
  })
}

/** Sends outside the transaction: a receiver may be slow, and storage has one writer. */
function testRoute(scope: Server, services: Services, outgoing: Outgoing): void {
  const slots = createSlots(1)
  defineOperation(scope, {
    id: 'testWebhook',
    at: 'POST /orgs/:org_id/webhooks/:webhook_id/test',
    summary: 'Send a test message to a webhook and return the response',
    description: `${extension} Sends \`webhook.ping\` once, even if the webhook is disabled, and returns the entry of the log. The request succeeds even if the receiver fails.`,
    ...common,
    response: { 200: Single(DeliveryWithPayload) },
    handler: async (request, reply) => {
      if (await answerAgain(services, { request, reply })) return reply
      const org = orgOf(request)
      const webhook = await getWebhook(services.db, org.id, pathId(request, 'webhook_id'))
      const signal = clientSignal(reply)
      const ping = await slots.run(webhook.id, { signal }, () => sendPing({ ...services, outgoing }, webhook, signal))
      if (ping.outcome.status === null) signal.throwIfAborted()
      return answerChange(services, { request, reply }, async (change) => {
        const permissions = await lockWebhook(change.tx, org.id, webhook.id)
        await logPing(change.tx, permissions, ping)
        const { isTaken, status } = ping.outcome
        await recordAudit(
          change,
          { id: permissions.id, org },
          {
            action: 'webhook.test',
            after: { delivery_id: ping.deliveryId, is_taken: isTaken, status },
          },
        )
        const shown = toDeliveryWithPayload(await getDelivery(change.tx, permissions.id, ping.deliveryId))
        const path = `/orgs/${org.id}/webhooks/${permissions.id}/deliveries/${ping.deliveryId}`
        return { status: 200, body: single(request, shown, path) }
      })
    },
  })
}
