import { deleteSessions } from '#features/user-sessions/store.ts'
import type { Db } from '#foundation/db/database.ts'
import { deleteResetsOf } from './store.ts'

/** Revokes a user's sessions, except one, and an open link to set a new password. */
export async function endSignIns(tx: Db, userId: string, exceptId?: string): Promise<void> {
  await deleteSessions(tx, userId, exceptId)
  await deleteResetsOf(tx, userId)
}
