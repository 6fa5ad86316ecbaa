import type { Db } from '#foundation/db/database.ts'
import { newSecret } from '#foundation/secrets/typed-secret.ts'
import type { Services } from '#foundation/services.ts'
import { parseNames } from '../clients.ts'
import { recordsOf } from '../records.ts'
import { findSession, lockSession } from '../store.ts'
import { type AuthorizationRequest, DEFAULTED_REDIRECT } from './request.ts'

const CODE_SECONDS = 60

/** The data to which a code is bound, in its stored form. */
export interface StoredCode {
  readonly clientId: string
  /** The app session. */
  readonly grantId: string
  readonly scope: string
  readonly redirectUri: string
  /** Set if the authorization request omitted the redirect URI, so that the token request may omit it too. */
  readonly [DEFAULTED_REDIRECT]?: true
  /** Always of the method S256. */
  readonly codeChallenge?: string
  readonly nonce?: string
}

export interface CodeRequest {
  readonly request: AuthorizationRequest
  readonly accountId: string
  /** The app session that the consent created. */
  readonly sessionId: string
}

/**
 * Issues an authorization code (RFC 6749 §4.1.2) for a session. Returns undefined if the session was revoked meanwhile
 * or has no scopes.
 */
export async function issueCode(
  deps: Pick<Services, 'keyring' | 'now'>,
  tx: Db,
  { request, accountId, sessionId }: CodeRequest,
): Promise<string | undefined> {
  await lockSession(tx, sessionId)
  const session = await findSession(tx, sessionId)
  if (!session) return undefined
  if (session.user_id !== accountId || session.client_id !== request.client_id) {
    throw new Error('the consent is of another user, or to another app')
  }
  const scopes = parseNames(session.scopes)
  if (scopes.length === 0) return undefined
  const code = newSecret('authorization_code')
  const { code_challenge: codeChallenge, nonce } = request
  const stored: StoredCode = {
    clientId: request.client_id,
    grantId: sessionId,
    scope: scopes.join(' '),
    redirectUri: request.redirect_uri,
    ...(request[DEFAULTED_REDIRECT] && { [DEFAULTED_REDIRECT]: true }),
    ...(codeChallenge !== undefined && { codeChallenge }),
    ...(nonce !== undefined && { nonce }),
  }
  await recordsOf<StoredCode>(deps, 'AuthorizationCode').insert(tx, code, stored, {
    sessionId,
    lifetimeSeconds: CODE_SECONDS,
  })
  return code
}
