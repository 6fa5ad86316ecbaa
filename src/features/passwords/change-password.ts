import { lockUser } from '#features/user-sessions/users-store.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import { Problem } from '#foundation/problem.ts'
import { endSignIns } from './end-sign-ins.ts'
import { updatePassword } from './store.ts'

interface PasswordChange {
  readonly userId: string
  /** Hash of the password that the user confirmed. */
  readonly formerHash: string | null
  readonly hash: string
  /** The session that continues. */
  readonly keptSessionId: string | undefined
}

export async function changePassword(
  change: Change,
  { userId, formerHash, hash, keptSessionId }: PasswordChange,
): Promise<void> {
  const { tx, at } = change
  const account = await lockUser(tx, userId)
  if (account?.password_hash !== formerHash) {
    throw new Problem('conflict', 'The password was changed meanwhile. Sign in again with the newer one.')
  }
  await updatePassword(tx, userId, { hash, at })
  await endSignIns(tx, userId, keptSessionId)
  await recordAudit(change, account, { action: 'user.password.change' })
}
