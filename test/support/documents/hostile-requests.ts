import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import type { OpenApi, PlacedOperation } from '#features/documentation/openapi-document.ts'
import { apiStyleOf, operationsOf } from '#features/documentation/openapi-document.ts'
import { deepList, deepObject, hostileJson, hostileText } from './hostile-values.ts'
import { fitting, type KnownIds, mutated, type Schema } from './schema-samples.ts'

export interface Target {
  readonly method: string
  /** With `{name}` for parameters. */
  readonly path: string
  readonly queries: readonly string[]
  readonly body?: Schema
  readonly isDated: boolean
}

export function targetsOf(document: OpenApi): Target[] {
  const schemas = document.components['schemas'] as Record<string, Schema>
  return operationsOf(document).map((placed) => toTarget(placed, schemas))
}

function toTarget({ path, method, operation }: PlacedOperation, schemas: Record<string, Schema>): Target {
  const queries = (operation.parameters ?? []).flatMap((parameter) =>
    parameter['in'] === 'query' ? [String(parameter['name'])] : [],
  )
  const content = (operation.requestBody?.['content'] ?? {}) as Record<string, { schema?: Schema }>
  const sent = Object.values(content)[0]?.schema
  const body = sent && withoutReferences(sent, schemas)
  const isDated = operation['x-releases'] !== undefined
  return { method: method.toUpperCase(), path, queries, isDated, ...(body && { body }) }
}

/** A schema with the named ones it refers to in their places. */
function withoutReferences(schema: Schema & { $ref?: string }, schemas: Record<string, Schema>): Schema {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) return withoutReferences(schemas[name]!, schemas)
  const { properties, items, anyOf } = schema
  const inside = (part: Schema) => withoutReferences(part, schemas)
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([member, part]) => [member, inside(part)])),
    }),
    ...(items && { items: inside(items) }),
    ...(anyOf && { anyOf: anyOf.map(inside) }),
  }
}

type Part = 'path' | 'query' | 'headers' | 'body' | 'method'
type Wrong = ReadonlySet<Part>

/** The invalid part of a request: mostly one, so that validation reaches it. */
const wrongParts: fc.Arbitrary<Wrong> = fc.oneof(
  {
    arbitrary: fc
      .constantFrom<Part[]>(['path'], ['query'], ['query'], ['headers'], ['body'], ['body'], ['body'], ['method'])
      .map((parts) => new Set(parts)),
    weight: 5,
  },
  { arbitrary: fc.constant(new Set<Part>(['path', 'query', 'headers', 'body'])), weight: 1 },
  { arbitrary: fc.constant(new Set<Part>()), weight: 1 },
)

/** Requests for one operation that are wrong in one place or in several. */
export function requestsFor(target: Target, ids: KnownIds): fc.Arbitrary<InjectOptions> {
  return wrongParts.chain((wrong) =>
    fc
      .record({
        method: wrong.has('method')
          ? fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')
          : fc.constant(target.method),
        path: pathOf(target, ids, wrong.has('path')),
        query: queryOf(target, wrong.has('query')),
        headers: wrong.has('headers') ? oddHeaders(typeFor(target)) : fc.constant({}),
        body: wrong.has('body') ? brokenBodyOf(target, ids) : goodBodyOf(target, ids),
      })
      .map(toRequest),
  )
}

interface Parts {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
}

function toRequest({ method, path, query, headers, body }: Parts): InjectOptions {
  return {
    method: method as 'GET',
    url: query === '' ? path : `${path}?${query}`,
    headers: { ...body.headers, ...headers },
    ...(body.payload !== undefined && { payload: body.payload }),
  }
}

function typeFor({ path }: Target): string {
  return apiStyleOf(path) === 'rest' ? 'application/vnd.api+json' : 'application/json'
}

function pathOf({ path, method }: Target, ids: KnownIds, isWrong: boolean): fc.Arbitrary<string> {
  const isOrgRemoved = method === 'DELETE' && path.endsWith('/org/{orgId}')
  const parts = path.split('/').map((part): fc.Arbitrary<string> => {
    const name = /^\{(.+)\}$/.exec(part)?.[1]
    if (name === undefined) return fc.constant(part)
    const id = fc.constantFrom(...((isOrgRemoved ? ids['spareOrg'] : ids[name]) ?? ids.other))
    return isWrong ? fc.oneof({ arbitrary: id, weight: 1 }, { arbitrary: encoded, weight: 2 }) : id
  })
  return fc.tuple(...parts).map((segments) => segments.join('/'))
}

/** In a URL: correctly percent-encoded, or incorrectly. */
const encoded: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: hostileText.map((text) => encodeURIComponent(text.toWellFormed())), weight: 6 },
  {
    arbitrary: fc.constantFrom('%00', '%2F', '%2e%2e', '%', '%zz', '%c0%80', '%ff', '%ed%a0%80', '%u0041', ';', '+'),
    weight: 2,
  },
)

const dates = ['2024-10-15', '2024-10-15', '2023-11-03~experimental', '2099-01-01', 'beta', 'wip']

function queryOf({ queries, isDated }: Target, isWrong: boolean): fc.Arbitrary<string> {
  if (!isWrong) return fc.constant(isDated ? 'version=2024-10-15' : '')
  const version = fc
    .oneof({ arbitrary: fc.constantFrom(...dates), weight: 9 }, { arbitrary: encoded, weight: 1 })
    .map((text) => [`version=${text}`])
  const paging = ['limit', 'starting_after', 'ending_before']
  const parameters = [...queries, ...(isDated ? paging : [])]
  const names = fc.oneof(
    { arbitrary: fc.constantFrom('org', ...parameters), weight: 6 },
    { arbitrary: fc.constantFrom(...paging, 'org', 'page', 'perPage', 'nobody', '__proto__', 'name[]', ''), weight: 1 },
  )
  const values = fc.oneof(
    encoded,
    fc.constantFrom('v1.e30', 'v1.bnVsbA', 'v1.W10', 'v1.eyJwIjp7fSwicyI6MX0', '10', '100', 'true', 'x'.repeat(20_000)),
  )
  const others = fc.array(fc.tuple(names, values), { minLength: 1, maxLength: 3 })
  const repeated = fc.array(fc.constantFrom('limit=10', 'a&a', 'version=2024-10-15', 'org='), { maxLength: 1 })
  return fc
    .tuple(isDated ? version : fc.constant([]), others, fc.oneof({ arbitrary: fc.constant([]), weight: 4 }, repeated))
    .map(([dated, others, twice]) =>
      [...dated, ...others.map(([name, value]) => `${name}=${value}`), ...twice].join('&'),
    )
}

const media = ['*/*', 'text/html', 'application/vnd.api+json;q=0', 'application/*', ';;;', ',', 'é', 'a/b'.repeat(9000)]

function oddHeaders(type: string): fc.Arbitrary<Record<string, string>> {
  const latin = hostileText.map((text) => text.replace(/[^\x20-\x7e\x80-\xff]/g, ''))
  return fc.oneof<fc.Arbitrary<Record<string, string>>[]>(
    fc.constantFrom(...media).map((accept) => ({ accept })),
    fc
      .constantFrom(`${type};charset=latin1`, `${type}; charset="`, 'text/plain', 'multipart/form-data', '', '/', 'é')
      .map((sent) => ({ 'content-type': sent })),
    latin.map((key) => ({ 'idempotency-key': key })),
    fc.uuid().map((key) => ({ 'idempotency-key': key })),
    fc
      .constantFrom('br', 'gzip, gzip', 'deflate', 'gzip', 'é', 'IDENTITY')
      .map((coding) => ({ 'content-encoding': coding })),
    latin.map((id) => ({ 'snyk-request-id': id })),
    latin.map((address) => ({ 'x-forwarded-for': address })),
    fc.constantFrom('bytes=0-', 'bytes=9-1', 'bytes=-0,-1').map((range) => ({ range })),
    latin.map((etag) => ({ 'if-none-match': etag })),
    fc.constantFrom<Record<string, string>[]>(
      { 'if-match': '"x"' },
      { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
    ),
    fc.constant({ 'x-filler': 'x'.repeat(100_000) }),
  )
}

interface Body {
  readonly payload?: string | Buffer
  readonly headers: Record<string, string>
}

function goodBodyOf({ body, method, path }: Target, ids: KnownIds): fc.Arbitrary<Body> {
  if (!body || method === 'GET') return fc.constant({ headers: {} })
  return fitting(body, ids).map((payload) => ({ payload, headers: { 'content-type': typeFor({ path } as Target) } }))
}

function brokenBodyOf(target: Target, ids: KnownIds): fc.Arbitrary<Body> {
  const type = typeFor(target)
  const plain = (payload: string | Buffer): Body => ({ payload, headers: { 'content-type': type } })
  const none: Body = { headers: {} }
  const fixed = fc.constantFrom(none, ...brokenBodies.map(plain), ...compressed.map((bytes) => zipped(bytes, type)))
  const any = fc.oneof({ arbitrary: hostileJson.map(plain), weight: 1 }, { arbitrary: fixed, weight: 2 })
  if (!target.body) return any
  const valid = fitting(target.body, ids)
  return fc.oneof(
    { arbitrary: mutated(valid).map(plain), weight: 8 },
    { arbitrary: valid.map((text) => zipped(gzipSync(text), type)), weight: 1 },
    { arbitrary: any, weight: 3 },
  )
}

function zipped(payload: Buffer, type: string): Body {
  return { payload, headers: { 'content-type': type, 'content-encoding': 'gzip' } }
}

const brokenBodies = [
  '',
  ' ',
  '{',
  '{"data":',
  '{"data":{}}}',
  '{"a":1,}',
  "{'data':1}",
  'NaN',
  '\ufeff',
  '"',
  deepList(10_000),
  deepObject(10_000),
  '['.repeat(100_000),
  Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  Buffer.from([0x22, 0xc0, 0x80, 0x22]),
  Buffer.concat([Buffer.from('{"data":"'), Buffer.from([0x80]), Buffer.from('"}')]),
]

const whole = gzipSync('{"data":{}}')
const compressed = [
  Buffer.alloc(0),
  Buffer.from('{}'),
  whole.subarray(0, -6),
  Buffer.concat([whole, Buffer.from('trailing')]),
  Buffer.concat([whole, whole]),
  whole.map((byte, index) => (index === 12 ? byte ^ 0xff : byte)) as Buffer,
  gzipSync(Buffer.alloc(8 * 1024 * 1024, ' ')),
  gzipSync(Buffer.alloc(8 * 1024 * 1024, '[')),
]
