import { newId } from '#features/user-sessions/browser-session.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Services } from '#foundation/services.ts'
import { saveReset } from './store.ts'

/** A one-time link with which a user sets a new password. */
export interface Reset {
  /** A secret: only the digest of its token is stored. */
  readonly url: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/**
 * Creates a user's link and replaces an earlier one. The token is in the fragment, which servers and proxies do not
 * log.
 */
export async function createReset(
  { keyring, config, baseUrl }: Pick<Services, 'keyring' | 'config' | 'baseUrl'>,
  tx: Db,
  { userId, at }: { userId: string; at: number },
): Promise<Reset> {
  const token = newId()
  const expiresAt = at + config.passwordResetMinutes * 60_000
  await saveReset(tx, { user_id: userId, digest: keyring.digest(token), created_at: at, expires_at: expiresAt })
  return { url: `${baseUrl}/console/new-password#${token}`, expiresAt }
}
