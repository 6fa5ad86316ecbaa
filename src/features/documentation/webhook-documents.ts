import { bodyOf, type EventDescription, eventTypeNames, eventTypes } from '#foundation/events/event-types.ts'
import type { Json } from './openapi-document.ts'

/** Describes the requests that this server sends: the `webhooks` of an OpenAPI document (OpenAPI 3.1.0 §4.8.1). */
export function webhookDocuments(): Record<string, Json> {
  return Object.fromEntries(eventTypeNames.map((type) => [type, { post: describe(type, eventTypes[type]) }]))
}

function describe(type: string, { when, Data, example: data }: EventDescription): Json {
  const example = { id: '0198c5a0-0000-7000-8000-000000000001', orgId: '4a72d1db-b465-4764-99e1-ecedad03b06a' }
  return {
    operationId: `receive${nameOf(type)}`,
    summary: `Sent when ${when}`,
    tags: ['Webhooks'],
    security: [],
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
      in: 'header',
      name,
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            title: `${nameOf(type)}Event`,
            type: 'object',
            required: ['id', 'type', 'timestamp', 'org_id', 'data'],
            properties: {
              id: { type: 'string', format: 'uuid' },
              type: { const: type },
              timestamp: { type: 'string', format: 'date-time' },
              org_id: { type: 'string', format: 'uuid' },
              data: Data,
            },
          },
          example: bodyOf({ ...example, type, data, at: Date.UTC(2026, 2, 1, 10) }),
        },
      },
    },
    responses: {
      '2XX': { description: 'Accepted. Other statuses are retried, except 410, which disables the webhook.' },
    },
  }
}

function nameOf(type: string): string {
  return type.split(/[._]/).map(capitalized).join('')
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
