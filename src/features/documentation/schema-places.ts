import { type Json, type OpenApi, operationsOf } from './openapi-document.ts'

/** A media type of a body, with its schema. */
interface Media {
  schema: Json
  [member: string]: unknown
}

interface Body {
  readonly media: Media
  /** The name for a schema without one. */
  readonly name: string
  readonly isRequest: boolean
}

/** Lists every request and response body of a document. */
export function bodiesOf(document: OpenApi): Body[] {
  const received = Object.values(document.webhooks ?? {}).map(
    (item) => item['post'] as Parameters<typeof bodiesOfOperation>[0],
  )
  const operations = [...operationsOf(document).map(({ operation }) => operation), ...received]
  const shared = Object.entries((document.components['responses'] ?? {}) as Record<string, Json>).flatMap(
    ([name, response]) => mediaOf(response).map((media) => ({ media, name, isRequest: false })),
  )
  return [...operations.flatMap(bodiesOfOperation), ...shared]
}

function bodiesOfOperation(operation: {
  operationId?: string
  requestBody?: Json
  responses: Record<string, Json>
}): Body[] {
  const { operationId = '', requestBody, responses } = operation
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`
  return [
    ...mediaOf(requestBody).map((media) => ({ media, name: `${name}Request`, isRequest: true })),
    ...Object.values(responses)
      .flatMap(mediaOf)
      .map((media) => ({ media, name: `${name}Response`, isRequest: false })),
  ]
}

function mediaOf(body: Json | undefined): Media[] {
  return Object.values((body?.['content'] ?? {}) as Record<string, Media>)
}
