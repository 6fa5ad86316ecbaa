import type { Operations } from '../../src/client/api/operations.generated.ts'
import { type Answer, call } from './client.ts'

export type Webhook = Answer<'getWebhook'>['data']
export type Delivery = Answer<'listWebhookDeliveries'>['data'][number]
export type DeliveryWithPayload = Answer<'getWebhookDelivery'>['data']
export type NewAttributes = NonNullable<Operations['createWebhook']['body']>['data']['attributes']
export type ChangedAttributes = NonNullable<Operations['updateWebhook']['body']>['data']['attributes']
export type EventName = NewAttributes['events'][number]

const type = 'webhook'

export function listWebhooks(orgId: string, query: Operations['listWebhooks']['query']) {
  return call('listWebhooks', { params: { org_id: orgId }, query })
}

export async function readWebhook(orgId: string, id: string): Promise<Webhook> {
  return (await call('getWebhook', { params: { org_id: orgId, webhook_id: id } })).data
}

export async function createWebhook(
  orgId: string,
  attributes: NewAttributes,
  idempotencyKey: string,
): Promise<Webhook> {
  const body = { data: { type, attributes } } as const
  return (await call('createWebhook', { params: { org_id: orgId }, body, idempotencyKey })).data
}

export async function changeWebhook(orgId: string, id: string, attributes: ChangedAttributes): Promise<void> {
  const body = { data: { id, type, attributes } } as const
  await call('updateWebhook', { params: { org_id: orgId, webhook_id: id }, body })
}

export async function deleteWebhook(orgId: string, id: string): Promise<void> {
  await call('deleteWebhook', { params: { org_id: orgId, webhook_id: id } })
}

interface Rotation {
  readonly graceSeconds: number
  readonly idempotencyKey: string
}

/** Returns the new secret. */
export async function replaceSecret(orgId: string, id: string, { graceSeconds, idempotencyKey }: Rotation) {
  const body = { data: { type, attributes: { grace_seconds: graceSeconds } } } as const
  const params = { org_id: orgId, webhook_id: id }
  return (await call('replaceWebhookSecret', { params, body, idempotencyKey })).data.attributes.secret
}

/** Sends a test message. Returns the delivery with the response. */
export async function testWebhook(orgId: string, id: string): Promise<DeliveryWithPayload> {
  return (await call('testWebhook', { params: { org_id: orgId, webhook_id: id } })).data
}

export function listDeliveries(orgId: string, id: string, query: Operations['listWebhookDeliveries']['query']) {
  return call('listWebhookDeliveries', { params: { org_id: orgId, webhook_id: id }, query })
}

interface OneDelivery {
  readonly orgId: string
  readonly webhookId: string
  readonly id: string
}

export async function readDelivery(one: OneDelivery): Promise<DeliveryWithPayload> {
  return (await call('getWebhookDelivery', { params: toParams(one) })).data
}

export async function redeliver(one: OneDelivery): Promise<void> {
  await call('redeliverWebhookDelivery', { params: toParams(one) })
}

function toParams({ orgId, webhookId, id }: OneDelivery) {
  return { org_id: orgId, webhook_id: webhookId, delivery_id: id }
}
