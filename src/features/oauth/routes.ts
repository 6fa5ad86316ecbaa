import { Type } from 'typebox'
import { publishedKeys } from '#features/access-tokens/signing-keys.ts'
import type { AuthenticateClient } from '#foundation/access/oauth-client.ts'
import { basePathOf } from '#foundation/http/base-path.ts'
import { FORM } from '#foundation/http/bodies/forms.ts'
import { OAuthError } from '#foundation/http/oauth-forms.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { answerAuthorization, resumeAuthorization } from './authorization/answer.ts'
import { grantClientCredentials } from './grants/grant-client-credentials.ts'
import { grantUserTokens } from './grants/grant-user-tokens.ts'
import { ServerMetadata, toMetadata } from './metadata.ts'
import { type GrantType, grantTypes, TokenAnswer, TokenRequest } from './token-answer.ts'

const tags = ['Authorization']
const isPublic = { access: 'public' } as const

/**
 * Limit of started authorizations: each is stored for an hour before any sign-in, so anonymous clients must not fill
 * the storage.
 */
export const BEGUN_PER_MINUTE = 600

/** `/oauth2`: where apps send browsers, and where browsers return after the user's answer. Refusals are pages. */
export function authorizationRoutes(services: Services): Routes {
  const options = { config: isPublic, schema: { hide: true } } as const
  return (scope) => {
    scope.get(
      '/authorize',
      { ...options, config: { ...isPublic, limitPerAddress: BEGUN_PER_MINUTE } },
      async (request, reply) => answerAuthorization(services, { request, reply }),
    )
    scope.get<{ Params: { uid: string } }>('/authorize/:uid', options, async (request, reply) =>
      resumeAuthorization(services, { request, reply }, request.params.uid),
    )
  }
}

/** `/oauth2`: the endpoints for clients of the authorization server. */
export function oauthRoutes(services: Services, authenticateClient: AuthenticateClient): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'getToken',
      at: 'POST /token',
      summary: 'Get tokens for a code, a refresh token or client credentials',
      description:
        'The client authenticates with HTTP Basic, with `client_id` and `client_secret` in the form, with a signed ' +
        'assertion (RFC 7523), or, when the app is public, with its `client_id` alone.',
      tags,
      consumes: [FORM],
      ...isPublic,
      body: TokenRequest,
      response: { 200: TokenAnswer, 400: OAuthError, 401: OAuthError },
      handler: async (request, reply) => {
        // In this order, a pause between the two readings makes the arrival later, never earlier.
        const elapsedMs = reply.elapsedTime
        const arrivedAt = performance.now() - elapsedMs
        const form = request.body
        const grant = parseGrantType(form.grant_type)
        const { authorization } = request.headers
        const client = await authenticateClient({ address: request.ip, authorization, form })
        if (grant === 'client_credentials') return grantClientCredentials(services, client, form.scope)
        const input = { form, client, arrivedAt, address: request.ip, requestId: request.id }
        return grantUserTokens(services, grant, input)
      },
    })

    defineOperation(scope, {
      id: 'getSigningKeys',
      at: 'GET /jwks',
      summary: 'Public keys of access tokens (RFC 7517)',
      tags,
      ...isPublic,
      response: { 200: Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) }) },
      handler: async (_request, reply) => {
        reply.header('cache-control', 'public, max-age=300')
        return { keys: (await publishedKeys(services)) as Record<string, unknown>[] }
      },
    })
  }
}

function parseGrantType(text: string | undefined): GrantType {
  if (text === undefined) throw new Problem('invalid-request', 'grant_type is missing')
  const grantType = grantTypes.find((name) => name === text)
  if (!grantType) throw new Problem('unsupported-grant-type', `grant_type must be one of ${grantTypes.join(', ')}`)
  return grantType
}

/**
 * The metadata at its well-known address, also with the path of the base URL (RFC 8414 §3.1). OpenID Connect's address
 * is 404: clients then read this one, but refuse metadata without ID tokens there.
 */
export function metadataRoutes(server: Server, { baseUrl }: Pick<Services, 'baseUrl'>): void {
  const first = '/.well-known/oauth-authorization-server'
  for (const url of new Set([first, `${first}${basePathOf(baseUrl)}`])) {
    defineOperation(server, {
      id: 'getServerMetadata',
      at: `GET ${url}`,
      summary: 'Get the metadata of the authorization server (RFC 8414)',
      tags,
      ...(url !== first && { hide: true }),
      access: 'public',
      rateLimit: false,
      response: { 200: ServerMetadata },
      handler: async (_request, reply) => {
        reply.header('cache-control', 'public, max-age=300')
        return toMetadata(baseUrl)
      },
    })
  }
}
