import type { Selectable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type ResetRow = Selectable<Tables['password_resets']>

/** Stores the only link of a user. */
export async function saveReset(tx: Db, reset: ResetRow): Promise<void> {
  await tx
    .insertInto('password_resets')
    .values(reset)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(reset))
    .execute()
}

export async function findReset(db: Db, digest: string): Promise<ResetRow | undefined> {
  return db.selectFrom('password_resets').selectAll().where('digest', '=', digest).executeTakeFirst()
}

/** Deletes and returns a link; of concurrent uses one gets it. */
export async function takeReset(tx: Db, digest: string): Promise<ResetRow | undefined> {
  return tx.deleteFrom('password_resets').where('digest', '=', digest).returningAll().executeTakeFirst()
}

export async function deleteResetsOf(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}

export async function deleteExpiredResets(db: Db, at: number): Promise<void> {
  await db.deleteFrom('password_resets').where('expires_at', '<=', at).execute()
}

export async function updatePassword(tx: Db, id: string, { hash, at }: { hash: string; at: number }): Promise<void> {
  await tx.updateTable('users').set({ password_hash: hash, updated_at: at }).where('id', '=', id).execute()
}
