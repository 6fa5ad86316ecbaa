import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type PendingRow = Selectable<Tables['pending_sign_ins']>

export async function insertPending(tx: Db, pending: Insertable<Tables['pending_sign_ins']>): Promise<void> {
  await tx.insertInto('pending_sign_ins').values(pending).execute()
}

export async function findPendingRow(db: Db, digest: string): Promise<PendingRow | undefined> {
  return db.selectFrom('pending_sign_ins').selectAll().where('digest', '=', digest).executeTakeFirst()
}

/** Deletes and returns a pending sign-in; of concurrent calls one gets it. */
export async function takePendingRow(tx: Db, digest: string): Promise<PendingRow | undefined> {
  return tx.deleteFrom('pending_sign_ins').where('digest', '=', digest).returningAll().executeTakeFirst()
}

/** Counts a wrong code, and deletes the sign-in after the last allowed one. */
export async function countPendingFailure(tx: Db, digest: string, maxFailures: number): Promise<void> {
  await tx
    .updateTable('pending_sign_ins')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('digest', '=', digest)
    .execute()
  await tx.deleteFrom('pending_sign_ins').where('digest', '=', digest).where('failures', '>=', maxFailures).execute()
}

export async function deleteExpiredPending(db: Db, at: number): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('expires_at', '<=', at).execute()
}
