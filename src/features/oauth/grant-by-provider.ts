import { setTimeout as sleep } from 'node:timers/promises'
import type { Provider } from 'oidc-provider'
import { TokenBasisGone } from '#features/access-tokens/issue-access-token.ts'
import type { AuthenticatedClient } from '#foundation/access/oauth-client.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import { isReferenceViolation } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import type { ProblemCode } from '#foundation/problem-codes.ts'
import type { Services } from '#foundation/services.ts'
import { DEFAULTED_REDIRECT, endpoints } from './endpoints.ts'
import { callProvider, type ProviderWork } from './provider-call.ts'
import { recordsOf } from './records.ts'
import { holdSessionOf } from './records-store.ts'
import { knownScopes, narrowScopes } from './scope-parameter.ts'
import type { TokenAnswer, TokenRequest } from './token-answer.ts'

type Needs = Pick<Services, 'db' | 'keyring' | 'now' | 'baseUrl'> & { provider(): Promise<Provider> }

export interface GrantRequest {
  readonly form: TokenRequest
  readonly client: AuthenticatedClient
  readonly arrivedAt: number
  readonly address: string
  readonly requestId: string
}

/**
 * Programs that refresh in several places at once send one token several times. So long a refresh waits for the others to
 * arrive before it uses the token: then they are known to have been under way (see the adapter).
 */
const PAUSE_MS = 40

/** What each grant is given besides who the client is. */
const secretOf = {
  authorization_code: { model: 'AuthorizationCode', parameter: 'code' },
  refresh_token: { model: 'RefreshToken', parameter: 'refresh_token' },
} as const

/** Tokens for a code (RFC 6749 §4.1.3) or a refresh token (§6), carried by the provider in one transaction of ours. */
export async function grantByProvider(
  needs: Needs,
  grant: keyof typeof secretOf,
  request: GrantRequest,
): Promise<TokenAnswer> {
  const { client, form } = request
  if (client.kind !== 'app') {
    throw new Problem('unauthorized-client', `${grant} is for apps that users authorize; use client_credentials`)
  }
  const { model, parameter } = secretOf[grant]
  const secret = form[parameter]
  if (secret === undefined) throw new Problem('invalid-request', `${parameter} is missing`)
  const provider = await needs.provider()
  if (grant === 'refresh_token') await sleep(PAUSE_MS)
  try {
    const outcome = await needs.db.transaction().execute(async (tx) => {
      await holdSessionOf(tx, recordsOf(needs, model).keyOf(secret))
      const work: ProviderWork = { ...request, tx }
      const sent = { method: 'POST', url: endpoints.token, baseUrl: needs.baseUrl } as const
      const answer = await callProvider(provider, { ...sent, form: await toForm(needs, { tx, grant, request }) }, work)
      const isGranted = answer.status === 200
      if (isGranted) await auditGrant(needs, grant, work)
      // A refusal is stored too: it may have ended the session.
      return { work, body: JSON.parse(answer.body) as Record<string, unknown>, isGranted }
    })
    return toAnswer(needs, outcome)
  } catch (error) {
    if (error instanceof TokenBasisGone || isReferenceViolation(error)) {
      throw new Problem('invalid-grant', 'The session has just been ended')
    }
    throw error
  }
}

/** Tokens that people's consent gives are written down; those of programs that act for themselves are too many. */
async function auditGrant({ now }: Needs, grant: keyof typeof secretOf, work: ProviderWork): Promise<void> {
  const { session, tx, requestId, address } = work
  if (!session) throw new Error('tokens were granted outside of a session')
  const actor = { kind: 'app', id: session.app_id, name: session.app_name, credentialId: session.id } as const
  await recordAudit(
    tx,
    { ...actor, requestId, address },
    {
      at: now(),
      action: grant === 'authorization_code' ? 'app_session.exchange' : 'app_session.refresh',
      groupId: session.user_group_id,
      target: { kind: 'app_session', id: session.id },
      after: { app_id: session.app_id, app_name: session.app_name, user_id: session.user_id },
    },
  )
}

/** What the provider is told: nothing that it would not read. */
async function toForm(
  needs: Needs,
  { tx, grant, request }: { tx: Services['db']; grant: keyof typeof secretOf; request: GrantRequest },
): Promise<URLSearchParams> {
  const { form, client } = request
  const sent = new URLSearchParams({ grant_type: grant, client_id: client.clientId })
  const add = (name: string, value: string | undefined) => void (value !== undefined && sent.set(name, value))
  if (grant === 'refresh_token') {
    add('refresh_token', form.refresh_token)
    const scopes = client.kind === 'app' ? client.scopes : []
    // Asked for nothing in particular, it is all that was granted, which may be less than the app has (RFC 6749 §6).
    if (knownScopes(form.scope, scopes).length > 0) add('scope', narrowScopes(form.scope, scopes).join(' '))
    return sent
  }
  add('code', form.code)
  add('code_verifier', form.code_verifier)
  add('redirect_uri', form.redirect_uri ?? (await defaultedRedirect(needs, tx, form.code!)))
  return sent
}

/** RFC 6749 §4.1.3: `redirect_uri` may only be left out when the authorization request left it out. */
async function defaultedRedirect(needs: Needs, tx: Services['db'], code: string): Promise<string | undefined> {
  const stored = await recordsOf(needs, 'AuthorizationCode').find(tx, code)
  if (!stored) throw new Problem('invalid-grant', 'Authorization code not found')
  const { [DEFAULTED_REDIRECT]: isDefaulted, redirectUri } = stored.payload
  return isDefaulted === true && typeof redirectUri === 'string' ? redirectUri : undefined
}

interface Outcome {
  readonly work: ProviderWork
  readonly body: Record<string, unknown>
  readonly isGranted: boolean
}

function toAnswer({ now }: Needs, { work, body, isGranted }: Outcome): TokenAnswer {
  const { session, refreshEndsAt } = work
  if (!isGranted) throw toProblem(work, body)
  if (!session || refreshEndsAt === undefined) throw new Error('the provider granted tokens without a session')
  return {
    access_token: String(body['access_token']),
    token_type: 'bearer',
    expires_in: Number(body['expires_in']),
    scope: String(body['scope']),
    bot_id: session.bot_id,
    refresh_token: String(body['refresh_token']),
    refresh_expires_in: refreshEndsAt - Math.floor(now() / 1000),
  }
}

const codes: Record<string, ProblemCode> = {
  invalid_grant: 'invalid-grant',
  invalid_scope: 'invalid-scope',
  invalid_client: 'invalid-client',
  unauthorized_client: 'unauthorized-client',
}

function toProblem({ refusal }: ProviderWork, body: Record<string, unknown>): Problem {
  const code = codes[String(body['error'])] ?? 'invalid-request'
  const said = refusal?.error_detail ?? String(body['error_description'] ?? 'The request cannot be granted')
  // That another client holds it is nobody's business.
  const detail = code === 'invalid-grant' && said === 'client mismatch' ? 'not found' : said
  return new Problem(code, `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`)
}
