import type { Actor } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import { endSignIns } from './end-sign-ins.ts'
import { lockAccount, updatePassword } from './store.ts'

interface PasswordChange {
  readonly userId: string
  /** Hash of the password that the user confirmed. */
  readonly formerHash: string | null
  readonly hash: string
  /** The session that continues. */
  readonly keptSessionId: string | undefined
}

/** Replaces a user's password and revokes the other sessions. */
export async function changePassword(
  { tx, actor, at }: { tx: Db; actor: Actor; at: number },
  { userId, formerHash, hash, keptSessionId }: PasswordChange,
): Promise<void> {
  const account = await lockAccount(tx, userId)
  if (account?.password_hash !== formerHash) {
    throw new Problem('conflict', 'The password was changed meanwhile. Sign in again with the newer one.')
  }
  await updatePassword(tx, userId, { hash, at })
  await endSignIns(tx, userId, keptSessionId)
  await recordAudit(tx, actor, {
    at,
    action: 'user.password.change',
    groupId: account.group_id,
    target: { kind: 'user', id: userId },
  })
}
