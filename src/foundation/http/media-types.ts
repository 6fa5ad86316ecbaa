import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import secureJson from 'secure-json-parse'
import { Problem } from '../problem.ts'

export const JSON_API = 'application/vnd.api+json'
export const PLAIN_JSON = 'application/json'

/**
 * Reads JSON bodies of the given types. An empty body is no body, whatever the content type says: existing clients send
 * the header on every method.
 */
export function readJson(scope: FastifyInstance, contentTypes: readonly string[]): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser([...contentTypes], { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    try {
      // A byte order mark is tolerated; anything that is not UTF-8 is not.
      const text = new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer)
      done(null, secureJson.parse(text, { protoAction: 'error', constructorAction: 'error' }))
    } catch (cause) {
      // Not the cause itself, which quotes the body: that may hold a password, and causes are logged.
      done(new Problem('body-unreadable', `The body is not JSON in UTF-8${position(cause)}`))
    }
  })
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    const sent = request.headers['content-type'] ?? 'none'
    done(
      new Problem(
        'unsupported-media-type',
        `Send the body as ${contentTypes.join(' or ')}; its content-type is ${sent.slice(0, 80)}`,
        {
          source: { header: 'content-type' },
        },
      ),
    )
  })
  scope.addHook('preParsing', (request, _reply, payload, done) => done(null, decompress(request, payload)))
}

function position(cause: unknown): string {
  const at = cause instanceof SyntaxError ? /position (\d+)/.exec(cause.message)?.[1] : undefined
  return at === undefined ? '' : ` (at character ${at})`
}

/** Decompressed bytes count against the body limit, so a small bomb stays small. */
function decompress<T extends NodeJS.ReadableStream>(request: FastifyRequest, payload: T): T {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase()
  if (encoding === undefined || encoding === '' || encoding === 'identity') return payload
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new Problem('unsupported-media-type', 'content-encoding must be gzip or identity', {
      source: { header: 'content-encoding' },
    })
  }
  // The length that was sent is that of the compressed body.
  delete request.headers['content-length']
  const plain = createGunzip()
  payload.on('error', (error) => plain.destroy(error))
  plain.on('error', () => payload.unpipe(plain))
  plain.on('error', (error) => Object.assign(error, { statusCode: 400 }))
  payload.pipe(plain)
  return plain as unknown as T
}

/** Refuses a request that accepts none of `offered`. */
export function requireAcceptable(request: FastifyRequest, offered: readonly string[]): void {
  const accept = request.headers.accept
  if (accept === undefined || accept === '' || accept === '*/*') return
  const accepted = accept.split(',').some((entry) => {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) return false
    return type === '*/*' || offered.some((media) => media === type || `${media.split('/')[0]}/*` === type)
  })
  if (accepted) return
  throw new Problem('not-acceptable', `This is served as ${offered[0]}; accept it`, { source: { header: 'accept' } })
}
