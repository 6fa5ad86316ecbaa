import { IDEMPOTENCY_HOURS } from '#foundation/http/change.ts'
import { ErrorDocument } from '#foundation/http/documents.ts'
import { JSON_API, PLAIN_JSON } from '#foundation/http/media-types.ts'
import { isOAuthOnly } from '#foundation/http/oauth-forms.ts'
import { PlainError } from '#foundation/http/plain-json.ts'
import { versionPattern } from '#foundation/http/versions.ts'
import { type ProblemCode, problemCodes } from '#foundation/problem-codes.ts'
import type { Json, Manner } from './openapi-document.ts'

/** Parameters that many operations take, each written once. */
export const parameters = {
  Version: {
    in: 'query',
    name: 'version',
    required: true,
    description:
      'Date of the interface the client was written for, as YYYY-MM-DD with an optional `~beta` or `~experimental`. ' +
      'Each operation answers with its newest release that is not later than the date and at least as stable.',
    schema: { type: 'string', pattern: versionPattern },
    example: '2024-10-15',
  },
  StartingAfter: {
    in: 'query',
    name: 'starting_after',
    required: false,
    description: 'Cursor from the `links` of an earlier answer: the page right after it.',
    schema: { type: 'string' },
  },
  EndingBefore: {
    in: 'query',
    name: 'ending_before',
    required: false,
    description: 'Cursor from the `links` of an earlier answer: the page right before it.',
    schema: { type: 'string' },
  },
  Limit: {
    in: 'query',
    name: 'limit',
    required: false,
    description: 'Items on a page.',
    schema: { type: 'integer', format: 'int32', minimum: 10, maximum: 100, default: 10 },
  },
  IdempotencyKey: {
    in: 'header',
    name: 'Idempotency-Key',
    required: false,
    description:
      `Repeating the request with the same key and body within ${IDEMPOTENCY_HOURS} hours changes nothing and answers ` +
      'the same, with `idempotency-replayed: true`. The same key with another request is refused with 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
} as const satisfies Record<string, Json>

function header(description: string, schema: Json): Json {
  return { description, schema }
}

export const headers = {
  RequestId: header('Identity of the request; the one the caller sent in this header, if any.', { type: 'string' }),
  VersionRequested: header('The `version` parameter as it was sent.', { type: 'string' }),
  VersionServed: header('The release that answered.', { type: 'string' }),
  LifecycleStage: header('Stability of the release that answered.', {
    type: 'string',
    enum: ['wip', 'experimental', 'beta', 'ga', 'deprecated', 'sunset'],
  }),
  Deprecation: header('Since when the operation is deprecated.', { type: 'string', format: 'date-time' }),
  Sunset: header('Until when the operation is served at least.', { type: 'string', format: 'date' }),
  Location: header('URL of what was created.', { type: 'string', format: 'uri-reference' }),
  IdempotencyReplayed: header('Present when the answer is that of an earlier request with the same Idempotency-Key.', {
    type: 'string',
    const: 'true',
  }),
  RetryAfter: header('Seconds to wait.', { type: 'integer' }),
}

export const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An API key of a user or a service account: `Authorization: token KEY`. The bare key is taken too.',
  },
  BearerToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'An OAuth access token, or an API key: `Authorization: Bearer TOKEN`.',
  },
}

export const schemas = { ErrorDocument, PlainError }

const spelling = {
  rest: { prefix: 'Rest', mediaType: JSON_API, schema: 'ErrorDocument' },
  v1: { prefix: 'V1', mediaType: PLAIN_JSON, schema: 'PlainError' },
} as const

export function errorResponseName(manner: keyof typeof spelling, status: number): string {
  return `${spelling[manner].prefix}Error${status}`
}

/** One answer per status and manner, which lists the codes that it may carry. */
export function errorResponses(): Record<string, Json> {
  const statuses = [...new Set(Object.values(problemCodes).map(({ status }) => status))].sort()
  const manners: (keyof typeof spelling & Manner)[] = ['rest', 'v1']
  return Object.fromEntries(
    manners.flatMap((manner) =>
      statuses.map((status) => [errorResponseName(manner, status), toErrorResponse(manner, status)]),
    ),
  )
}

function toErrorResponse(manner: keyof typeof spelling, status: number): Json {
  const { mediaType, schema } = spelling[manner]
  const codes = Object.entries(problemCodes).filter(
    ([code, kind]) => kind.status === status && !isOAuthOnly(code as ProblemCode),
  )
  return {
    description: codes.map(([code, { title }]) => `\`${code}\`: ${title}`).join('\n\n'),
    headers: {
      'snyk-request-id': ref('headers', 'RequestId'),
      ...((status === 429 || status === 503) && { 'retry-after': ref('headers', 'RetryAfter') }),
    },
    content: { [mediaType]: { schema: ref('schemas', schema) } },
  }
}

export function ref(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}
