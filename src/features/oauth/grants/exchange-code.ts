import { createHash, timingSafeEqual } from 'node:crypto'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import type { StoredCode } from '../authorization/issue-code.ts'
import { DEFAULTED_REDIRECT } from '../authorization/request.ts'
import { faultOfPkceText } from '../pkce.ts'
import { recordsOf } from '../records.ts'
import { lockSessionOf } from '../records-store.ts'
import { findSession } from '../store.ts'
import type { TokenAnswer } from '../token-answer.ts'
import { endReusedSession } from './end-reused-session.ts'
import type { GrantRequest } from './grant-request.ts'
import { issueTokens } from './issue-tokens.ts'

type Deps = Pick<Services, 'db' | 'keyring' | 'now' | 'config' | 'baseUrl'>

/**
 * Exchanges an authorization code (RFC 6749 §4.1.3). A code works once, for the client, redirect URI and challenge for
 * which it was issued. A second use by that client revokes its session. That refusal is returned, not thrown, so that
 * the revocation is committed.
 */
export async function exchangeCode(
  deps: Deps,
  tx: Db,
  request: GrantRequest & { readonly secret: string },
): Promise<TokenAnswer | Problem> {
  const { client, form, secret } = request
  const codes = recordsOf<StoredCode>(deps, 'AuthorizationCode')
  await lockSessionOf(tx, codes.keyOf(secret))
  const code = await codes.find(tx, secret)
  // Use the same message: a client must not learn which codes of other clients exist.
  if (code?.payload.clientId !== client.clientId) throw refuse('Authorization code not found')
  const { grantId: sessionId, scope, nonce } = code.payload
  const redirectUri = form.redirect_uri ?? (code.payload[DEFAULTED_REDIRECT] && code.payload.redirectUri)
  if (redirectUri === undefined) throw new Problem('invalid-request', "Missing required parameter 'redirect_uri'")
  if (code.isExpired) throw refuse('Authorization code is expired')
  const session = await findSession(tx, sessionId)
  if (session?.client_id !== client.clientId) throw refuse('Grant not found')
  checkVerifier(form.code_verifier, code.payload.codeChallenge)
  if (redirectUri !== code.payload.redirectUri) throw refuse('Authorization code redirect_uri mismatch')
  if (code.consumedAt !== null) {
    await endReusedSession(deps, tx, { sessionId, request })
    return refuse('Authorization code already consumed')
  }
  if (!(await codes.consume(tx, code.key))) throw refuse('Authorization code used by another request')
  const scopes = scope.split(' ')
  return issueTokens(deps, tx, { request, session, action: 'app_session.exchange', scopes, granted: scope, nonce })
}

/** RFC 7636 §4.6. A verifier without a challenge is refused too: no downgrade (RFC 9700 §4.8.2). */
function checkVerifier(verifier: string | undefined, challenge: string | undefined): void {
  const fault = verifier === undefined ? undefined : faultOfPkceText('code_verifier', verifier)
  if (fault !== undefined) throw new Problem('invalid-request', fault)
  if (verifier === undefined && challenge === undefined) return
  if (verifier === undefined) throw refuse('code_verifier must be provided')
  if (challenge === undefined) throw refuse('code_verifier was sent, but the authorization had no code_challenge')
  const expected = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  const actual = Buffer.from(challenge)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
    throw refuse('code_verifier does not match code_challenge')
  }
}

function refuse(detail: string): Problem {
  return new Problem('invalid-grant', detail)
}
