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
  /** The path of the operation, if a client sends the body. */
  readonly requestPath?: string | undefined
}

/** Lists every request and response body of a document. */
export function bodiesOf(document: OpenApi): Body[] {
  const received = Object.values(document.webhooks ?? {}).map((item) => item['post'] as Sent)
  const shared = Object.entries((document.components['responses'] ?? {}) as Record<string, Json>).flatMap(
    ([name, response]) => mediaOf(response).map((media) => ({ media, name })),
  )
  return [
    ...operationsOf(document).flatMap(({ path, operation }) => bodiesOfOperation(operation, path)),
    ...received.flatMap((sent) => bodiesOfOperation(sent, undefined)),
    ...shared,
  ]
}

interface Sent {
  readonly operationId?: string
  readonly requestBody?: Json
  readonly responses: Record<string, Json>
}

function bodiesOfOperation(
  { operationId = '', requestBody, responses }: Sent,
  requestPath: string | undefined,
): Body[] {
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`
  return [
    ...mediaOf(requestBody).map((media) => ({ media, name: `${name}Request`, requestPath })),
    ...Object.values(responses)
      .flatMap(mediaOf)
      .map((media) => ({ media, name: `${name}Response` })),
  ]
}

function mediaOf(body: Json | undefined): Media[] {
  return Object.values((body?.['content'] ?? {}) as Record<string, Media>)
}
