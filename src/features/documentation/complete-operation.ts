import { errorResponseName, parameters, ref } from './components.ts'
import { type ApiStyle, apiStyleOf, type Json, type PlacedOperation } from './openapi-document.ts'

// `import` would also load Node's WebSocket client, 40 ms at each start.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** Paths of tests of packages and of connections. */
const tests = /^\/v1\/test\/|\/integrations\/[^/]+\/test$/

/** Operations that only read (tests, searches with filters in a body), which need no idempotency key. */
const withoutIdempotency = new RegExp(
  [
    tests.source,
    '^/v1/test-dep-graph$|^/v1/verify/|^/rest/exposed_credentials$|/packages/issues$',
    '^/v1/org/[^/]+/(projects|dependencies|licenses)$',
    '^/v1/org/[^/]+/project/.*/(issues|aggregated-issues|history|jira-issue)$',
  ].join('|'),
)

/** Adds the parts that all operations of an API style share: parameters, headers and refusals. */
export function completeOperation(placed: PlacedOperation): void {
  const { operation } = placed
  const apiStyle = apiStyleOf(placed.path)
  operation.parameters = parametersOf(placed, apiStyle)
  if (operation.parameters.length === 0) delete operation.parameters
  for (const [status, response] of Object.entries(operation.responses)) completeResponse(placed, status, response)
  if (apiStyle === 'plain') return
  for (const status of refusalsOf(placed)) {
    operation.responses[status] ??= ref('responses', errorResponseName(apiStyle, status))
  }
}

function parametersOf({ path, method, operation }: PlacedOperation, apiStyle: ApiStyle): Json[] {
  const own = (operation.parameters ?? []).map(toShared)
  const isRepeatable = method === 'post' && apiStyle !== 'plain' && !withoutIdempotency.test(path)
  return isRepeatable ? [...own, ref('parameters', 'IdempotencyKey')] : own
}

/** Replaces a shared parameter by a reference to its component. */
function toShared(parameter: Json): Json {
  const entry = Object.entries(parameters).find(
    ([, shared]) =>
      shared.in === parameter['in'] && shared.name === parameter['name'] && admitsTheSame(shared, parameter),
  )
  return entry ? ref('parameters', entry[0]) : parameter
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
      apiStyleOf(path) !== 'plain' &&
      !withoutIdempotency.test(path) && { 'idempotency-replayed': ref('headers', 'IdempotencyReplayed') }),
  }
}

/** Lists the statuses of an operation's refusals. `default` covers those that all operations share. */
function refusalsOf({ path, method, operation }: PlacedOperation): (number | 'default')[] {
  return [
    ...(method !== 'get' && !withoutIdempotency.test(path) ? [409] : []),
    ...(operation.requestBody ? [422] : []),
    ...(tests.test(path) ? [502] : []),
    'default',
  ]
}
