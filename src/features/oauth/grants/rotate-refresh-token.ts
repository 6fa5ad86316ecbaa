import type { Db } from '#foundation/db/database.ts'
import { readClock } from '#foundation/db/read-clock.ts'
import { Problem } from '#foundation/problem.ts'
import { toSecret } from '#foundation/secrets/typed-secret.ts'
import type { Services } from '#foundation/services.ts'
import { recordsOf } from '../records.ts'
import { lockSessionOf } from '../records-store.ts'
import { narrowScopes, parseScopes } from '../scope-parameter.ts'
import { findSession } from '../store.ts'
import type { TokenAnswer } from '../token-answer.ts'
import { endReusedSession } from './end-reused-session.ts'
import type { GrantRequest } from './grant-request.ts'
import { issueTokens, type StoredRefreshToken } from './issue-tokens.ts'

type Deps = Pick<Services, 'db' | 'keyring' | 'now' | 'config' | 'baseUrl'>

/**
 * Refreshes tokens (RFC 6749 §6) and replaces the refresh token. A second use within the tolerance returns the same
 * successor; a later one revokes its session (RFC 9700 §4.14.2). That refusal is returned, not thrown, so that the
 * revocation is committed.
 */
export async function rotateRefreshToken(
  deps: Deps,
  tx: Db,
  request: GrantRequest & { readonly secret: string },
): Promise<TokenAnswer | Problem> {
  const { client, form, secret, arrivedAt } = request
  const requested = requestedScopes(form.scope, client.scopes)
  const tokens = recordsOf<StoredRefreshToken>(deps, 'RefreshToken')
  await lockSessionOf(tx, tokens.keyOf(secret))
  const token = await tokens.find(tx, secret)
  // Use the same message: a client must not learn which tokens of other clients exist.
  if (token?.payload.clientId !== client.clientId) throw refuse('Refresh token not found')
  const { grantId: sessionId, scope, nonce } = token.payload
  const at = await readClock(tx)
  const usedForMs = token.consumedAt === null ? undefined : Math.max(0, at - token.consumedAt)
  const successor = successorOf(deps, secret)
  const isRepeat =
    usedForMs !== undefined &&
    successor !== undefined &&
    usedForMs <= deps.config.refreshReuseSeconds * 1000 &&
    (await tokens.find(tx, successor.refreshToken)) !== undefined
  // The token was used after this request had arrived, so both were sent concurrently. Refuse this one and keep the
  // session. A request that was sent after the response to the other always arrives after the use.
  if (!isRepeat && usedForMs !== undefined && usedForMs < performance.now() - arrivedAt)
    throw refuse('Refresh token not found')
  if (token.isExpired) throw refuse('Refresh token is expired')
  const session = await findSession(tx, sessionId)
  if (session?.client_id !== client.clientId) throw refuse('Grant not found')
  const granted = scope.split(' ')
  if (requested?.some((name) => !granted.includes(name))) {
    throw new Problem('invalid-scope', 'Refresh token missing requested scope')
  }
  const scopes = requested ?? granted
  const issue = { request, session, action: 'app_session.refresh', scopes, granted: scope, nonce } as const
  if (usedForMs === undefined) {
    if (!(await tokens.consume(tx, token.key, at))) throw refuse('Refresh token used by another request')
    return issueTokens(deps, tx, { ...issue, ...successor })
  }
  if (isRepeat) {
    return issueTokens(deps, tx, { ...issue, ...successor, issuedSecondsAgo: Math.ceil(usedForMs / 1000) })
  }
  await endReusedSession(deps, tx, { sessionId, request })
  return refuse('Refresh token already used')
}

/** Derives the successor of a token, so that it can be returned again without being stored. Without tolerance, none. */
function successorOf({ keyring, config }: Deps, secret: string): { readonly refreshToken: string } | undefined {
  if (config.refreshReuseSeconds === 0) return undefined
  return { refreshToken: toSecret('refresh_token', keyring.digest(`successor of refresh token ${secret}`)) }
}

/** Returns the requested scopes; undefined for all granted ones (RFC 6749 §6). */
function requestedScopes(parameter: string | undefined, scopes: readonly string[]): string[] | undefined {
  return parseScopes(parameter, scopes).length === 0 ? undefined : narrowScopes(parameter, scopes)
}

function refuse(detail: string): Problem {
  return new Problem('invalid-grant', detail)
}
