import { type Static, Type } from 'typebox'
import { resource, Timestamp } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { DeliveryRow, DeliveryState } from './deliveries-store.ts'

export const State = Type.Enum(['waiting', 'delivered', 'failed'], {
  description: 'waiting: for the first or next attempt; delivered: the receiver returned 2xx; failed: given up',
})

const attributes = {
  event_id: Type.String({ format: 'uuid', description: 'Sent as webhook-id; the same in every attempt' }),
  event_type: Type.String(),
  event_at: Type.String({ format: 'date-time', description: 'Time of the event' }),
  state: State,
  attempts: Type.Integer({ minimum: 0 }),
  attempted_at: Type.Optional(Timestamp),
  next_attempt_at: Type.Optional(Timestamp),
  last_status: Type.Optional(Type.Integer({ description: 'HTTP status of the last attempt, if there was a response' })),
  last_error: Type.Optional(Type.String({ description: 'Reason why the last attempt failed' })),
  answer: Type.Optional(Type.String({ description: 'The first 1,024 bytes of the response' })),
  created_at: Timestamp,
}

export const Delivery = resource('webhook_delivery', Type.Object(attributes))

export const DeliveryWithPayload = resource(
  'webhook_delivery',
  Type.Object({
    ...attributes,
    payload: Type.Record(Type.String(), Type.Unknown(), { description: 'The body of the message' }),
  }),
)

nameSchemas({ Delivery, DeliveryWithPayload })

export function toDelivery(row: DeliveryRow): Static<typeof Delivery> {
  const { state, attempted_at: attemptedAt, last_status, last_error, answer } = row
  return {
    id: row.id,
    type: 'webhook_delivery',
    attributes: {
      event_id: row.event_id,
      event_type: row.type,
      event_at: toTimestamp(row.at),
      state: state as DeliveryState,
      attempts: row.attempts,
      ...(attemptedAt !== null && { attempted_at: toTimestamp(attemptedAt) }),
      ...(state === 'waiting' && { next_attempt_at: toTimestamp(row.due_at) }),
      ...(last_status !== null && { last_status }),
      ...(last_error !== null && { last_error }),
      ...(answer !== null && { answer }),
      created_at: toTimestamp(row.created_at),
    },
  }
}

export function toDeliveryWithPayload(row: DeliveryRow & { body: string }): Static<typeof DeliveryWithPayload> {
  const { attributes: shown, ...rest } = toDelivery(row)
  return { ...rest, attributes: { ...shown, payload: JSON.parse(row.body) as Record<string, unknown> } }
}
