import { STATUS_CODES } from 'node:http'
import { errorResponseName, parameters, ref } from './components.ts'
import { type Json, type Manner, mannerOf, type Operation, type PlacedOperation } from './openapi-document.ts'

/** Tests of packages and of connections. */
const tests = /^\/v1\/test\/|\/integrations\/[^/]+\/test$/

/** What only asks (tests, searches whose filters are a body) changes nothing, so that repeating it needs no key. */
const withoutIdempotency = new RegExp(
  [
    tests.source,
    '^/v1/test-dep-graph$|^/v1/verify/|^/rest/exposed_credentials$',
    '^/v1/org/[^/]+/(projects|dependencies|licenses)$',
    '^/v1/org/[^/]+/project/.*/(issues|aggregated-issues|history|jira-issue)$',
  ].join('|'),
)

/** Adds what every operation of a manner has in common: shared parameters, headers, refusals. */
export function completeOperation(placed: PlacedOperation): void {
  const { operation } = placed
  const manner = mannerOf(placed.path)
  operation.parameters = parametersOf(placed, manner)
  if (operation.parameters.length === 0) delete operation.parameters
  for (const [status, response] of Object.entries(operation.responses)) completeResponse(placed, status, response)
  if (manner === 'plain') return
  for (const status of refusalsOf(placed, manner)) {
    operation.responses[status] ??= ref('responses', errorResponseName(manner, status))
  }
}

function parametersOf({ path, method, operation }: PlacedOperation, manner: Manner): Json[] {
  const own = (operation.parameters ?? []).map(toShared)
  const isRepeatable = method === 'post' && manner !== 'plain' && !withoutIdempotency.test(path)
  return isRepeatable ? [...own, ref('parameters', 'IdempotencyKey')] : own
}

/** A parameter that is the shared one of its name, by reference. */
function toShared(parameter: Json): Json {
  const found = Object.entries(parameters).find(
    ([, shared]) =>
      shared.in === parameter['in'] && shared.name === parameter['name'] && admitsTheSame(shared, parameter),
  )
  return found ? ref('parameters', found[0]) : parameter
}

function admitsTheSame(shared: { schema: Json }, parameter: Json): boolean {
  const bounds = (schema: Json) => JSON.stringify([schema['pattern'], schema['minimum'], schema['maximum']])
  return bounds(shared.schema) === bounds(parameter['schema'] as Json)
}

function completeResponse(placed: PlacedOperation, status: string, response: Json): void {
  if (response['description'] === 'Default Response') response['description'] = STATUS_CODES[status] ?? status
  response['headers'] = { ...headersOf(placed, status), ...(response['headers'] as Json | undefined) }
}

function headersOf({ path, method, operation }: PlacedOperation, status: string): Json {
  const isDated = operation['x-releases'] !== undefined
  return {
    'snyk-request-id': ref('headers', 'RequestId'),
    ...(isDated && {
      'snyk-version-requested': ref('headers', 'VersionRequested'),
      'snyk-version-served': ref('headers', 'VersionServed'),
      'snyk-version-lifecycle-stage': ref('headers', 'LifecycleStage'),
    }),
    ...(isDated &&
      operation.deprecated && {
        deprecation: ref('headers', 'Deprecation'),
        sunset: ref('headers', 'Sunset'),
      }),
    ...(status === '201' && { location: ref('headers', 'Location') }),
    ...(method === 'post' &&
      mannerOf(path) !== 'plain' &&
      !withoutIdempotency.test(path) && { 'idempotency-replayed': ref('headers', 'IdempotencyReplayed') }),
  }
}

/** The statuses with which any operation of this kind may refuse. */
function refusalsOf({ path, method, operation }: PlacedOperation, manner: 'rest' | 'v1'): number[] {
  const isTest = tests.test(path)
  const isPublic = operation.security?.length === 0
  const needsPermission = (operation['x-permission']?.length ?? 0) > 0
  const isDated = operation['x-releases'] !== undefined
  return [
    ...(isDated || takesInput(operation) ? [400] : []),
    ...(isPublic ? [] : [401]),
    ...(needsPermission ? [403] : []),
    ...(isDated || path.includes('{') || needsPermission ? [404] : []),
    ...(manner === 'rest' ? [406] : []),
    ...(method !== 'get' && !withoutIdempotency.test(path) ? [409] : []),
    ...(operation.requestBody ? [408, 413, 415, 422] : []),
    429,
    500,
    ...(isTest ? [502] : []),
  ]
}

function takesInput({ parameters, requestBody }: Operation): boolean {
  return requestBody !== undefined || (parameters ?? []).length > 0
}
