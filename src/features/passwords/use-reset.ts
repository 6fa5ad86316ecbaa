import { lockUser } from '#features/user-sessions/users-store.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { Problem } from '#foundation/problem.ts'
import { hashPassword } from '#foundation/secrets/password.ts'
import type { Services } from '#foundation/services.ts'
import { endSignIns } from './end-sign-ins.ts'
import { findReset, type ResetRow, takeReset, updatePassword } from './store.ts'

type Deps = Pick<Services, 'db' | 'keyring' | 'now'>

export interface ResetUse {
  readonly token: string
  readonly password: string
  readonly requestId: string
  readonly address: string
}

/** Sets a new password with a link, once, and revokes the user's sessions. Throws 404 for an invalid link. */
export async function useReset(
  { db, keyring, now }: Deps,
  { token, password, requestId, address }: ResetUse,
): Promise<void> {
  const digest = keyring.digest(token)
  // Hashing is slow: do it only for a valid link, and outside the transaction.
  requireValid(await findReset(db, digest), now())
  const hash = await hashPassword(password)
  await inTransaction(db, async (tx: Db) => {
    const at = now()
    const reset = requireValid(await findReset(tx, digest), at)
    // Accounts are always locked before their dependent rows.
    const account = await lockUser(tx, reset.user_id)
    const taken = requireValid(await takeReset(tx, digest), at)
    if (!account) throw invalid()
    await updatePassword(tx, taken.user_id, { hash, at })
    await endSignIns(tx, taken.user_id)
    const actor = { kind: 'user', id: account.id, name: account.name, requestId, address } as const
    await recordAudit({ tx, actor, at }, account, { action: 'user.password_reset.use' })
  })
}

function requireValid(reset: ResetRow | undefined, at: number): ResetRow {
  if (!reset || reset.expires_at <= at) throw invalid()
  return reset
}

function invalid(): Problem {
  return new Problem(
    'not-found',
    'This link has expired, was used, or was replaced by a newer one. Ask an administrator for another one.',
  )
}
