import type { Actor } from '#foundation/access/caller.ts'
import type { AuthenticatedClient } from '#foundation/access/oauth-client.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { endSession, findRefreshToken } from './refresh-store.ts'
import { deleteToken, findToken } from './store.ts'

interface RevocationRequest {
  readonly client: AuthenticatedClient
  readonly token: string
  readonly requestId: string
  readonly address: string
}

/**
 * Revokes a token of the client (RFC 7009): an access token alone, a refresh token (even a used one) with its session.
 * Does nothing for invalid tokens. Throws for tokens of other clients.
 */
export async function revoke(
  { keyring, now }: Pick<Services, 'keyring' | 'now'>,
  tx: Db,
  { client, token, ...origin }: RevocationRequest,
): Promise<void> {
  const digest = keyring.digest(token)
  const kind = client.kind === 'service_account' ? 'service_account' : 'app'
  const actor: Actor = { kind, id: client.id, name: client.name, ...origin }
  if (token.includes('.')) {
    const row = await findToken(tx, digest)
    if (!row) return
    requireOwn(client, row.client_id)
    await deleteToken(tx, row.id)
    return recordAudit(
      { tx, actor, at: now() },
      { id: row.id, group_id: client.owner.groupId, org_id: client.owner.orgId },
      { action: 'access_token.revoke' },
    )
  }
  const refreshToken = await findRefreshToken(tx, digest)
  if (!refreshToken) return
  requireOwn(client, refreshToken.client_id)
  const ended = await endSession(tx, refreshToken.session_id)
  if (!ended) return
  await recordAudit({ tx, actor, at: now() }, ended, {
    action: 'app_session.delete',
    before: { app_id: ended.app_id, app_name: ended.app_name, user_id: ended.user_id },
  })
}

function requireOwn({ clientId }: AuthenticatedClient, issuedTo: string | null): void {
  if (clientId !== issuedTo) throw new Problem('invalid-grant', 'The token was issued to another client')
}
