import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '../problem.ts'
import type { ProblemCode } from '../problem-codes.ts'
import { FORM, readForm } from './bodies/forms.ts'
import type { BodyReader, Payload } from './bodies/read-body.ts'
import { type AnswerError, handleErrors } from './refusals.ts'
import { nameSchemas } from './schema-names.ts'

export const OAuthError = Type.Object({
  error: Type.String({ description: 'A code of RFC 6749 §5.2' }),
  error_description: Type.String(),
  error_uri: Type.String({ format: 'uri', description: 'URL of the page that explains this error' }),
})

nameSchemas({ OAuthError })

/** Sets up OAuth endpoints (RFC 6749 §3.2, §5): forms in, plain JSON out, never cached. */
export function oauthForms(scope: FastifyInstance, baseUrl: string, bodies: BodyReader): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(FORM, async (request: FastifyRequest, payload: Payload) => {
    return readForm(bodies, request, payload)
  })
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: Payload) => {
    await bodies.read(request, payload, { maxBytes: Number.POSITIVE_INFINITY, check: refuseOtherForm })
    return undefined
  })
  handleErrors(scope, toOAuthError(baseUrl))
  // RFC 6749 §5.2 requires it for clients that used the header; for others, client libraries would hide invalid_client
  // behind it.
  scope.addHook('onSend', (request, reply, payload, done) => {
    const isBasic = /^\s*basic(\s|$)/i.test(request.headers.authorization ?? '')
    if (reply.statusCode === 401 && isBasic) reply.header('www-authenticate', 'Basic realm="gatehouse"')
    done(null, payload)
  })
  scope.addHook('onRequest', (request, reply, done) => {
    reply.header('pragma', 'no-cache')
    if ((request.headers['content-encoding'] ?? 'identity') === 'identity') return done()
    const source = { header: 'content-encoding' }
    done(new Problem('unsupported-media-type', 'content-encoding must be identity', { source }))
  })
}

function refuseOtherForm(): void {
  throw new Problem('unsupported-media-type', `Send the parameters as ${FORM}`, { source: { header: 'content-type' } })
}

/** Errors specific to these endpoints (RFC 6749 §5.2). */
const ownErrors: Partial<Record<ProblemCode, string>> = {
  'invalid-client': 'invalid_client',
  'invalid-grant': 'invalid_grant',
  'invalid-scope': 'invalid_scope',
  'unauthorized-client': 'unauthorized_client',
  'unsupported-grant-type': 'unsupported_grant_type',
}

export function isOAuthOnly(code: ProblemCode): boolean {
  return Object.hasOwn(ownErrors, code)
}

const errors: Partial<Record<ProblemCode, string>> = {
  ...ownErrors,
  'rate-limited': 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
  internal: 'server_error',
}

export function toOAuthError(baseUrl: string): AnswerError {
  return (problem) => ({
    error: errors[problem.code] ?? 'invalid_request',
    error_description: toDescription(problem.faults.map(({ detail }) => withoutPointer(detail)).join('; ')),
    error_uri: `${baseUrl}/docs/errors/${problem.code}`,
  })
}

/** Rewrites a JSON schema error for forms, where only a repeated parameter is not a string. */
function withoutPointer(detail: string): string {
  return detail
    .replace(/^\/(\w+) must be string$/, '$1 was sent more than once')
    .replace(/^\/(\w+) /, '$1 ')
    .replace(/^The body must be object$/, `The request has no parameters; send them as ${FORM}`)
}

/** Keeps the characters that RFC 6749 §5.2 allows in a description. */
function toDescription(text: string): string {
  return text.replaceAll('"', "'").replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?')
}
