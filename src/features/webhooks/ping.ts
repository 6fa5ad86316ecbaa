import type { Db } from '#foundation/db/database.ts'
import { bodyOf, PING } from '#foundation/events/event-types.ts'
import { createTimeOrderedIds } from '#foundation/time-ordered-id.ts'
import { insertDelivery } from './deliveries-store.ts'
import { type Outcome, type Sending, send } from './send.ts'
import type { WebhookRow } from './store.ts'

export interface Ping {
  readonly id: string
  readonly deliveryId: string
  readonly body: string
  readonly outcome: Outcome
}

const newId = createTimeOrderedIds()

/** Sends a test message once, whether or not the webhook is enabled. Waits for the receiver. */
export async function sendPing(sending: Sending, webhook: WebhookRow, signal?: AbortSignal): Promise<Ping> {
  const at = sending.now()
  const id = newId(at)
  const data = { webhook_id: webhook.id }
  const body = JSON.stringify(bodyOf({ id, orgId: webhook.org_id, type: PING, data, at }))
  return { id, deliveryId: newId(at), body, outcome: await send(sending, webhook, { eventId: id, body, signal }) }
}

/** Stores the response in the log. A test message is not retried. */
export async function logPing(
  tx: Db,
  { id: webhookId, org_id }: WebhookRow,
  { id, deliveryId, body, outcome }: Ping,
): Promise<void> {
  const { at, isTaken, status, error, answer } = outcome
  await insertDelivery(
    tx,
    { id, org_id, type: PING, body, at },
    {
      id: deliveryId,
      webhook_id: webhookId,
      event_id: id,
      state: isTaken ? 'delivered' : 'failed',
      attempts: 1,
      due_at: at,
      gives_up_at: at,
      last_status: status,
      last_error: error,
      answer,
      created_at: at,
      attempted_at: at,
    },
  )
}
