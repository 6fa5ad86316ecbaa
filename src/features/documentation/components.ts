import { JSON_API, PLAIN_JSON } from '#foundation/http/bodies/media-types.ts'
import { IDEMPOTENCY_HOURS } from '#foundation/http/change.ts'
import { ErrorDocument } from '#foundation/http/documents.ts'
import { isOAuthOnly } from '#foundation/http/oauth-forms.ts'
import { PlainError } from '#foundation/http/plain-json.ts'
import { versionPattern } from '#foundation/http/versions.ts'
import { type ProblemCode, problemCodes } from '#foundation/problem-codes.ts'
import type { ApiStyle, Json } from './openapi-document.ts'

/** Parameters of several operations, each defined once. */
export const parameters = {
  Version: {
    in: 'query',
    name: 'version',
    required: true,
    description:
      'Date of the interface version that the client was written for, as YYYY-MM-DD with an optional `~beta` or `~experimental`. ' +
      'Each operation is served in its newest release that is not later than this date and at least as stable.',
    schema: { type: 'string', pattern: versionPattern },
    example: '2024-10-15',
  },
  StartingAfter: {
    in: 'query',
    name: 'starting_after',
    required: false,
    description: 'Cursor from the `links` of a response; returns the page after it.',
    schema: { type: 'string' },
  },
  EndingBefore: {
    in: 'query',
    name: 'ending_before',
    required: false,
    description: 'Cursor from the `links` of a response; returns the page before it.',
    schema: { type: 'string' },
  },
  Limit: {
    in: 'query',
    name: 'limit',
    required: false,
    description: 'Maximum number of items on a page.',
    schema: { type: 'integer', format: 'int32', minimum: 10, maximum: 100, default: 10 },
  },
  IdempotencyKey: {
    in: 'header',
    name: 'Idempotency-Key',
    required: false,
    description:
      `Repeating the request with the same key and body within ${IDEMPOTENCY_HOURS} hours changes nothing and returns ` +
      'the same response with `idempotency-replayed: true`. The same key with another request is refused with 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
} as const satisfies Record<string, Json>

function header(description: string, schema: Json): Json {
  return { description, schema }
}

export const headers = {
  RequestId: header('Id of the request: the value of this header in the request, or a generated one.', {
    type: 'string',
  }),
  VersionRequested: header('The `version` parameter of the request.', { type: 'string' }),
  VersionServed: header('The release that served the request.', { type: 'string' }),
  LifecycleStage: header('Stability of the release that served the request.', {
    type: 'string',
    enum: ['wip', 'experimental', 'beta', 'ga', 'deprecated', 'sunset'],
  }),
  Deprecation: header('Time since which the operation is deprecated.', { type: 'string', format: 'date-time' }),
  Sunset: header('Earliest time at which the operation may be removed.', { type: 'string', format: 'date' }),
  Location: header('URL of the created resource.', { type: 'string', format: 'uri-reference' }),
  IdempotencyReplayed: header('Present if the response is that of an earlier request with the same Idempotency-Key.', {
    type: 'string',
    const: 'true',
  }),
  RetryAfter: header('Seconds to wait before the next request.', { type: 'integer' }),
}

export const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An API key of a user or a service account: `Authorization: token KEY`. The bare key is accepted too.',
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

export function errorResponseName(apiStyle: keyof typeof spelling, status: number | 'default'): string {
  return `${spelling[apiStyle].prefix}Error${status === 'default' ? '' : status}`
}

/** Statuses with which any operation may refuse a request. */
const commonStatuses: readonly number[] = [400, 401, 403, 404, 406, 408, 413, 415, 429, 500, 503]

/** Returns one error response per status and API style, with the codes that it may contain. */
export function errorResponses(): Record<string, Json> {
  const all = [...new Set(Object.values(problemCodes).map(({ status }) => status))].sort()
  const statuses = ['default' as const, ...all.filter((status) => !commonStatuses.includes(status))]
  const apiStyles: (keyof typeof spelling & ApiStyle)[] = ['rest', 'v1']
  return Object.fromEntries(
    apiStyles.flatMap((apiStyle) =>
      statuses.map((status) => [errorResponseName(apiStyle, status), toErrorResponse(apiStyle, status)]),
    ),
  )
}

function toErrorResponse(apiStyle: keyof typeof spelling, status: number | 'default'): Json {
  const { mediaType, schema } = spelling[apiStyle]
  const codes = Object.entries(problemCodes).filter(
    ([code, kind]) => isOf(kind.status, status) && !isOAuthOnly(code as ProblemCode),
  )
  return {
    description: codes.map((code) => explain(code, status)).join('\n\n'),
    headers: {
      'snyk-request-id': ref('headers', 'RequestId'),
      ...(status === 'default' && { 'retry-after': ref('headers', 'RetryAfter') }),
    },
    content: { [mediaType]: { schema: ref('schemas', schema) } },
  }
}

function isOf(status: number, expected: number | 'default'): boolean {
  return expected === 'default' ? commonStatuses.includes(status) : status === expected
}

function explain([code, { title, status }]: [string, { title: string; status: number }], of: number | 'default') {
  return `${of === 'default' ? `${status} ` : ''}\`${code}\`: ${title}`
}

export function ref(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}
