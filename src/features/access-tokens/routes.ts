import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { AuthenticateClient, AuthenticatedClient } from '#foundation/access/oauth-client.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { OAuthError } from '#foundation/http/oauth-forms.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import type { Routes } from '#foundation/http/server.ts'
import { andThen, type MaybePromise } from '#foundation/maybe-promise.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { Introspection, type IntrospectionRequest, introspect } from './introspect-token.ts'
import { revoke } from './revoke-token.ts'

const common = {
  tags: ['Authorization'],
  consumes: ['application/x-www-form-urlencoded'],
  access: 'public' as const,
}

const Form = Type.Object({
  token: Type.String({ description: 'An access token or a refresh token' }),
  token_type_hint: Type.Optional(Type.String({ description: 'Ignored: the server recognizes both kinds of token' })),
  client_id: Type.Optional(Type.String({ description: 'Required unless HTTP Basic or an assertion names the client' })),
  client_secret: Type.Optional(
    Type.String({ description: 'Required for confidential clients unless sent with HTTP Basic' }),
  ),
  client_assertion_type: Type.Optional(Type.String()),
  client_assertion: Type.Optional(Type.String()),
})

const refusals = { 400: OAuthError, 401: OAuthError }

const IntrospectionForm = Type.Object({
  ...Form.properties,
  client_address: Type.Optional(
    Type.String({
      description:
        'An extension (RFC 7662 §2.1): the IP address of the token’s presenter. A token that is restricted to other networks is answered as not active',
    }),
  ),
})

/** Token endpoints under `/oauth2`: introspection (RFC 7662) and revocation (RFC 7009). */
export function tokenRoutes(services: Services, authenticate: AuthenticateClient): Routes {
  const clientOf = (request: FastifyRequest): MaybePromise<AuthenticatedClient> =>
    authenticate({
      address: request.ip,
      authorization: request.headers.authorization,
      form: request.body as Readonly<Record<string, string | undefined>>,
    })

  return (scope) => {
    defineOperation(scope, {
      id: 'introspectToken',
      at: 'POST /introspect',
      summary: 'Introspect a token (RFC 7662)',
      description:
        'The client authenticates as at the token endpoint; public clients are refused. A client can introspect its own tokens and those of clients of the same organization; any other value is answered as not active.',
      ...common,
      body: IntrospectionForm,
      response: { 200: Introspection, ...refusals },
      handler: (request) => introspect(services, andThen(clientOf(request), requireProof), parseForm(request.body)),
    })
    defineOperation(scope, {
      id: 'revokeToken',
      at: 'POST /revoke',
      summary: 'Revoke a token (RFC 7009)',
      description:
        'For the client that the token was issued to. Revoking a refresh token revokes its session with all tokens; revoking an access token revokes only that token. An invalid token gets the same answer.',
      ...common,
      body: Form,
      response: { 200: Type.Null({ description: 'The token is refused from now on' }), ...refusals },
      handler: async (request, reply) => {
        const client = await clientOf(request)
        const input = { client, token: request.body.token, requestId: request.id, address: request.ip }
        await inTransaction(services.db, (tx) => revoke(services, tx, input))
        return sendNothing(reply as FastifyReply)
      },
    })
  }
}

function parseForm({ token, client_address }: Static<typeof IntrospectionForm>): IntrospectionRequest {
  if (client_address === undefined) return { token }
  if (isIP(client_address) === 0) throw new Problem('invalid-request', 'client_address must be an IP address')
  return { token, client_address }
}

function requireProof(client: AuthenticatedClient): AuthenticatedClient {
  if (client.method !== 'none') return client
  throw new Problem('invalid-client', 'Authenticate the client to introspect tokens', {
    headers: { 'www-authenticate': 'Basic realm="gatehouse"' },
  })
}

/** Sends an empty body: the status is the answer (RFC 7009 §2.2). Some clients require a JSON content type even so. */
function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.code(200).type('application/json; charset=utf-8').send()
}
