import { createHash, type Hash } from 'node:crypto'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '#foundation/problem.ts'
import { type Validate, withErrors } from './body-validator.ts'
import { FORM, readForm } from './forms.ts'
import { JsonShape, type LargeMember } from './json-shape.ts'
import type { BodyReader, Payload } from './read-body.ts'
import { parseJson, UnparsedJson } from './unparsed-json.ts'

export const JSON_API = 'application/vnd.api+json'
export const PLAIN_JSON = 'application/json'

/** Largest body parsed on the main thread, in bytes after decompression. */
export const MAX_PARSED_BYTES = 1024 * 1024
/** Maximum number of values in a body parsed on the main thread, which takes a few milliseconds. */
export const MAX_PARSED_VALUES = 20_000
/** The same for operations that need no credential: parsing and refusing 20,000 members took 30 ms. */
export const MAX_PUBLIC_VALUES = 1_000
export const MAX_DEPTH = 100

/**
 * Reads JSON bodies of the given types. An empty body counts as none, whatever the content type: existing clients send
 * the header with every method.
 */
export function readJson(scope: FastifyInstance, contentTypes: readonly string[], bodies: BodyReader): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser([...contentTypes], (request: FastifyRequest, payload: Payload) =>
    takesBytes(request) ? readBytes(request, payload) : readJsonBody(bodies, request, payload),
  )
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: Payload) => {
    if (takesBytes(request)) return readBytes(request, payload)
    const { bytesOf = [], takesForm } = request.routeOptions.config
    const sent = request.headers['content-type'] ?? 'none'
    if (takesForm === true && mediaTypeOf(sent) === FORM) return readForm(bodies, request, payload)
    const others = [...bytesOf, ...(takesForm === true ? [FORM] : [])]
    const unread = () => unsupported([...new Set([...contentTypes, ...others])], sent)
    await bodies.read(request, payload, {
      // The first byte is refused because of its type, however long the body is.
      maxBytes: Number.POSITIVE_INFINITY,
      check() {
        throw unread()
      },
    })
    return undefined
  })
  scope.addHook('onRoute', (route) => {
    const name = route.config?.largeMember?.name
    if (name === undefined) return
    // Large members are validated where they are parsed, and so are bytes.
    route.validatorCompiler = (part) => {
      if (part.httpPart !== 'body') return scope.validatorCompiler!(part)
      const validate = scope.validatorCompiler!({ ...part, schema: withAny(part.schema, name) }) as Validate
      return withErrors((body) => (body instanceof Uint8Array || validate(body) ? [] : validate.errors))
    }
  })
  scope.addHook('preParsing', (request, _reply, payload, done) => done(null, decompress(request, payload)))

  function readBytes(request: FastifyRequest, payload: Payload): Promise<Uint8Array> {
    return bodies.read(request, payload, { maxBytes: bodies.maxBytes })
  }
}

/** Returns true for a body that the route receives as bytes, which may even be JSON. */
function takesBytes({ routeOptions: { config }, headers }: FastifyRequest): boolean {
  return config.bytesOf?.includes(mediaTypeOf(headers['content-type'] ?? '')) === true
}

/** Returns the media type of a `content-type`, without its parameters, in lower case. */
export function mediaTypeOf(contentType: string): string {
  return contentType.split(';')[0]!.trim().toLowerCase()
}

function withAny(schema: unknown, name: string) {
  const { properties, ...rest } = schema as { properties: Record<string, unknown> }
  return { ...rest, properties: { ...properties, [name]: {} } }
}

function unsupported(contentTypes: readonly string[], sent: string): Problem {
  return new Problem(
    'unsupported-media-type',
    `Send the body as ${contentTypes.join(' or ')}; its content-type is ${sent.slice(0, 80)}`,
    { source: { header: 'content-type' } },
  )
}

function limitOf(request: FastifyRequest): number {
  return Math.min(request.routeOptions.bodyLimit ?? MAX_PARSED_BYTES, MAX_PARSED_BYTES)
}

async function readJsonBody(bodies: BodyReader, request: FastifyRequest, payload: Payload): Promise<unknown> {
  const { largeMember, access } = request.routeOptions.config
  const shape = new JsonShape({
    maxDepth: MAX_DEPTH,
    maxValues: access === 'public' ? MAX_PUBLIC_VALUES : MAX_PARSED_VALUES,
    ...(largeMember && { member: largeMember }),
  })
  const isCompared = largeMember !== undefined && request.headers['idempotency-key'] !== undefined
  const hash = isCompared ? createHash('sha256') : undefined
  const bytes = await bodies.read(request, payload, {
    maxBytes: largeMember ? bodies.maxBytes : Math.min(limitOf(request), bodies.maxBytes),
    isShared: largeMember !== undefined,
    check(chunk) {
      shape.scan(chunk)
      hash?.update(chunk)
    },
  })
  if (bytes.length === 0) return undefined
  if (largeMember) return splitBody(bytes, { shape, member: largeMember, hash })
  await bodies.takeTurn(bytes.length)
  return parseJson(bytes)
}

/** Parses everything except the large member. */
function splitBody(
  bytes: Uint8Array,
  { shape, member, hash }: { shape: JsonShape; member: LargeMember; hash: Hash | undefined },
): unknown {
  const digest = hash?.digest('base64')
  const span = shape.member ?? { start: bytes.length, end: bytes.length }
  const size = span.end - span.start
  if (bytes.length - size > MAX_PARSED_BYTES) {
    throw new Problem('too-large', `The body has more than ${MAX_PARSED_BYTES} bytes outside ${member.name}`)
  }
  const stand = size === 0 ? '' : 'null'
  const rest = Buffer.concat([bytes.subarray(0, span.start), Buffer.from(stand), bytes.subarray(span.end)])
  const placeOf = (position: number) => (position <= span.start ? position : position + size - stand.length)
  const parsed = parseJson(rest, { placeOf })
  if (typeof parsed !== 'object' || parsed === null || !Object.hasOwn(parsed, member.name)) return parsed
  const values = shape.memberValues
  const own = parsed as Record<string, unknown>
  own[member.name] =
    size > 0
      ? new UnparsedJson(bytes.subarray(span.start, span.end), {
          values,
          offset: span.start,
          ...(digest && { digest }),
        })
      : // Its name contains escapes, so it was parsed with the rest.
        new UnparsedJson(Buffer.from(JSON.stringify(own[member.name])), {
          values: MAX_PARSED_VALUES,
          offset: 0,
          ...(digest && { digest }),
        })
  return parsed
}

/** Decompressed bytes count toward the body limit, so that bombs stay small. */
function decompress<T extends NodeJS.ReadableStream>(request: FastifyRequest, payload: T): T {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase()
  if (encoding === undefined || encoding === '' || encoding === 'identity') return payload
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new Problem('unsupported-media-type', 'content-encoding must be gzip or identity', {
      source: { header: 'content-encoding' },
    })
  }
  // The declared length is that of the compressed body.
  delete request.headers['content-length']
  const plain = createGunzip({ chunkSize: 64 * 1024 })
  payload.on('error', (error) => plain.destroy(error))
  plain.on('error', () => payload.unpipe(plain))
  plain.on('error', (error) => Object.assign(error, { statusCode: 400 }))
  payload.pipe(plain)
  return plain as unknown as T
}

/** Refuses a request whose `Accept` matches none of `offered`. */
export function requireAcceptable(request: FastifyRequest, offered: readonly string[]): void {
  const accept = request.headers.accept
  if (accept === undefined || accept === '' || accept === '*/*') return
  const accepted = accept.split(',').some((entry) => {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) return false
    return type === '*/*' || offered.some((media) => media === type || `${media.split('/')[0]}/*` === type)
  })
  if (accepted) return
  throw new Problem('not-acceptable', `The Accept header names no supported media type. Supported: ${offered[0]}`, {
    source: { header: 'accept' },
  })
}
