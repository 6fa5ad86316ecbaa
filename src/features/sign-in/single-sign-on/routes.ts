import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { endByLogoutToken, LogoutRefused } from '#features/single-sign-on/end-by-logout-token.ts'
import { findProviderOfEmail, type ProviderRow } from '#features/single-sign-on/providers-store.ts'
import { requireOwnPage } from '#foundation/http/browser/own-pages.ts'
import type { Routes } from '#foundation/http/server.ts'
import { formOf } from '#foundation/pages/web-pages.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { MAX_EMAIL_LENGTH } from '../sign-in-page.ts'
import { beginSignOn, type SignOnDeps, toReturnPath } from './begin-sign-on.ts'
import { attemptOf, finishSignOn } from './finish-sign-on.ts'

const hide = true
const strict = { additionalProperties: false } as const
const Email = Type.String({ minLength: 1, maxLength: MAX_EMAIL_LENGTH })
/**
 * Limit of rows per minute and address: the whole staff of a company may sign in through one address, and a provider may
 * sign them out at once. Failed sign-ins have a lower limit.
 */
const REQUESTS_PER_MINUTE = 3_000
const MAX_TOKEN_LENGTH = 16_384

type Deps = Services & SignOnDeps

/** `/console/sign-in`: how the user of an e-mail address signs in, and the start of single sign-on. */
export function signOnRoutes(deps: Deps): Routes {
  const config = { access: 'public', limitPerAddress: REQUESTS_PER_MINUTE } as const
  return (scope) => {
    // The response depends only on the domain, so it reveals nothing about accounts.
    const way = {
      hide,
      operationId: 'findSignInWay',
      body: Type.Object({ email: Email }, strict),
      response: {
        200: Type.Object({ provider: Type.Optional(Type.String()), is_required: Type.Optional(Type.Boolean()) }),
      },
    } as const
    scope.post('/sign-in/way', { config, schema: way }, async (request) => {
      requireOwnPage(request, deps.baseUrl)
      const provider = await findProviderOfEmail(deps.db, request.body.email)
      return provider ? { provider: provider.name, is_required: provider.mode === 'required' } : {}
    })

    const response = { 200: Type.Object({ url: Type.String() }) }
    const body = Type.Object({ email: Email, return_to: Type.Optional(Type.String({ maxLength: 2000 })) }, strict)
    const start = { hide, operationId: 'beginSingleSignOn', body, response } as const
    scope.post('/sign-in/single-sign-on', { config, schema: start }, async (request, reply) => {
      requireOwnPage(request, deps.baseUrl)
      const { email, return_to } = request.body
      const provider = await findProviderOfEmail(deps.db, email)
      if (!provider) throw new Problem('not-found', 'Single sign-on is not available for this e-mail address.')
      deps.attempts.admit({ ...attemptOf(request, provider), proof: '' })
      const returnTo = toReturnPath(deps.baseUrl, return_to)
      const { url, cookie } = await begin(deps, request, { provider, returnTo, email })
      return reply.header('set-cookie', cookie).send({ url })
    })
  }
}

async function begin(
  deps: Deps,
  request: FastifyRequest,
  start: { provider: ProviderRow; returnTo: string; email: string },
): Promise<{ url: string; cookie: string }> {
  try {
    return await beginSignOn(deps, start)
  } catch (err) {
    request.log.warn({ err, provider: start.provider.id }, 'a single sign-on could not start')
    const detail = `The identity provider ${start.provider.name} did not respond as expected. Try again later, or ask an administrator.`
    throw new Problem('unavailable', detail, { headers: { 'retry-after': '30' } })
  }
}

/** `/oauth2/single-sign-on`: endpoints for providers, called through browsers and directly. */
export function providerAnswerRoutes(deps: Deps): Routes {
  const params = Type.Object({ provider_id: Type.String({ format: 'uuid' }) })
  return (scope) => {
    const config = { access: 'public', limitPerAddress: REQUESTS_PER_MINUTE } as const
    scope.get('/single-sign-on/:provider_id/callback', { config, schema: { hide, params } }, async (request, reply) =>
      finishSignOn(deps, { request, reply }),
    )

    const logout = { config, schema: { hide, params } } as const
    scope.post('/single-sign-on/:provider_id/logout', logout, async (request, reply) =>
      endSessions(deps, request, reply),
    )
  }
}

/** Processes a logout token (OpenID Connect Back-Channel Logout §2.5, §2.8). */
async function endSessions(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
  const { provider_id: providerId } = request.params as { provider_id: string }
  const [token = '', ...others] = formOf(request).getAll('logout_token')
  try {
    if (token === '' || others.length > 0) throw new LogoutRefused('Send one logout_token.')
    if (token.length > MAX_TOKEN_LENGTH) throw new LogoutRefused('The logout_token is too long.')
    await endByLogoutToken(deps, token, { providerId, requestId: request.id, address: request.ip })
    return reply.code(200).send('{}')
  } catch (error) {
    if (!(error instanceof LogoutRefused)) throw error
    request.log.warn({ provider: providerId, reason: error.message }, 'a logout token was refused')
    return reply.code(400).send(JSON.stringify({ error: 'invalid_request', error_description: error.message }))
  }
}
