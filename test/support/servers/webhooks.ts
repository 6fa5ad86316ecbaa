import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DeliverySettings, startDeliveries } from '#features/webhooks/deliveries.ts'
import { addEvent, type NewEvent } from '#foundation/events/add-event.ts'
import type { EventType } from '#foundation/events/event-types.ts'
import { eventTypes } from '#foundation/events/event-types.ts'
import type { Services } from '#foundation/services.ts'
import type { TestApp } from './app.ts'

/** Lets tests send to receivers on loopback. */
export const ALLOWING_LOOPBACK = { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' } as const

export interface Webhook {
  readonly id: string
  readonly secret: string
  readonly path: string
}

export const webhooksOf = (orgId: string) => `/rest/orgs/${orgId}/webhooks`
export const webhookBody = (attributes: object) => ({ data: { type: 'webhook', attributes } })

export async function addWebhook(
  app: TestApp,
  {
    orgId = app.orgId,
    ...attributes
  }: { url: string; orgId?: string; events?: readonly string[]; is_active?: boolean },
): Promise<Webhook> {
  const body = webhookBody({ events: ['*'], ...attributes })
  const answer = await app.call('POST', webhooksOf(orgId), { body })
  assert.equal(answer.statusCode, 201, answer.body)
  const { id, attributes: shown } = answer.json().data
  return { id, secret: shown.secret, path: `${webhooksOf(orgId)}/${id}` }
}

/** Tells of something, by default the example of its type. */
export async function tell<T extends EventType>(
  app: TestApp,
  type: T,
  event: Partial<Omit<NewEvent<T>, 'type'>> = {},
): Promise<void> {
  const { db, now } = app.parts.services
  const data = eventTypes[type].example as NewEvent<T>['data']
  await db.transaction().execute((tx) => addEvent(tx, { orgId: app.orgId, at: now(), data, ...event, type }))
}

/** Returns the events of an organization, oldest first. */
export async function eventsOf(app: TestApp, orgId = app.orgId) {
  const rows = await app.parts.services.db
    .selectFrom('events')
    .select('body')
    .where('org_id', '=', orgId)
    .orderBy('id')
    .execute()
  return rows.map(({ body }) => JSON.parse(body) as { id: string; type: EventType; data: Record<string, unknown> })
}

/** Sends as a server does, only sooner; `changes` stand in for its services. */
export function startSending(app: TestApp, settings: Partial<DeliverySettings> = {}, changes: Partial<Services> = {}) {
  const { services, outgoing } = app.parts
  return startDeliveries({ ...services, ...changes, outgoing }, { pollMs: 10, ...settings })
}

export async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 12_000; tries++) {
    if (await holds()) return
    await sleep(10)
  }
  assert.fail(`did not happen: ${what}`)
}
