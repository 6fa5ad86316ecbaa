import { issueAccessToken } from '#features/access-tokens/issue-access-token.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { newSecret } from '#foundation/secrets/typed-secret.ts'
import type { Services } from '#foundation/services.ts'
import { parseNames } from '../clients.ts'
import { recordsOf } from '../records.ts'
import { noteSessionUse, type SessionRow } from '../store.ts'
import type { TokenAnswer } from '../token-answer.ts'
import type { GrantRequest } from './grant-request.ts'

const REFRESH_SECONDS = 180 * 86_400

/** The data to which a refresh token is bound, in its stored form. */
export interface StoredRefreshToken {
  readonly clientId: string
  /** The app session. */
  readonly grantId: string
  /** All granted scopes, even if the access token has fewer. */
  readonly scope: string
  readonly nonce?: string
}

export interface TokenIssue {
  readonly request: GrantRequest
  readonly session: SessionRow
  readonly action: 'app_session.exchange' | 'app_session.refresh'
  readonly scopes: readonly string[]
  /** The scopes of the refresh token, separated by spaces. */
  readonly granted: string
  /** The value that the app sent with the authorization request, repeated in each access token. */
  readonly nonce: string | undefined
  /** The refresh token to return; by default a random one. */
  readonly refreshToken?: string
  /** Seconds since that refresh token was issued by an earlier request; undefined for a new one. */
  readonly issuedSecondsAgo?: number
}

/**
 * Issues an access token and a refresh token of a session (RFC 6749 §5.1). Audited, unlike tokens of unattended
 * clients: they result from a user's consent and are fewer.
 */
export async function issueTokens(
  deps: Pick<Services, 'db' | 'keyring' | 'now' | 'config' | 'baseUrl'>,
  tx: Db,
  { request, session, action, scopes, granted, nonce, ...issue }: TokenIssue,
): Promise<TokenAnswer> {
  const { client, requestId, address } = request
  const { clientId } = client
  const sessionId = session.id
  const access = parseNames(session.scopes).filter((scope) => scopes.includes(scope))
  const issued = await issueAccessToken(deps, tx, {
    basis: { sessionId },
    clientId,
    subject: session.context === 'user' ? session.user_id : session.bot_id,
    botId: session.bot_id,
    scopes: access,
    ttlSeconds: client.ttlSeconds,
    nonce,
  })
  await noteSessionUse(tx, sessionId, deps.now())
  const { refreshToken = newSecret('refresh_token'), issuedSecondsAgo } = issue
  if (issuedSecondsAgo === undefined) {
    const stored = { clientId, grantId: sessionId, scope: granted, ...(nonce !== undefined && { nonce }) }
    await recordsOf<StoredRefreshToken>(deps, 'RefreshToken').insert(tx, refreshToken, stored, {
      sessionId,
      lifetimeSeconds: REFRESH_SECONDS,
    })
  }
  const { app_id, app_name } = session
  const actor = { kind: 'app', id: app_id, name: app_name, credentialId: sessionId, requestId, address } as const
  await recordAudit(
    { tx, actor, at: deps.now() },
    { id: sessionId, group_id: session.user_group_id },
    {
      action,
      after: { app_id, app_name, user_id: session.user_id },
    },
  )
  return {
    access_token: issued.token,
    token_type: 'bearer',
    expires_in: issued.expiresInSeconds,
    scope: access.join(' '),
    bot_id: session.bot_id,
    refresh_token: refreshToken,
    refresh_expires_in: REFRESH_SECONDS - (issuedSecondsAgo ?? 0),
  }
}
