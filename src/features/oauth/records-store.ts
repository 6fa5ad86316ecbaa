import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type RecordRow = Selectable<Tables['oauth_records']>

export interface RecordKey {
  readonly model: string
  readonly id: string
}

export async function insertRecord(db: Db, record: Insertable<Tables['oauth_records']>): Promise<void> {
  await db.insertInto('oauth_records').values(record).execute()
}

/** Returns false if the record exists already; of concurrent calls one returns true. */
export async function insertOnce(db: Db, { model, id }: RecordKey, expiresAt: number): Promise<boolean> {
  const inserted = await db
    .insertInto('oauth_records')
    .values({
      model,
      id,
      payload: new Uint8Array(),
      uid: null,
      session_id: null,
      consumed_at: null,
      expires_at: expiresAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function findRecord(db: Db, { model, id }: RecordKey): Promise<RecordRow | undefined> {
  return db.selectFrom('oauth_records').selectAll().where('model', '=', model).where('id', '=', id).executeTakeFirst()
}

export async function takeRecord(db: Db, { model, id }: RecordKey): Promise<RecordRow | undefined> {
  return db
    .deleteFrom('oauth_records')
    .where('model', '=', model)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function updateRecord(
  db: Db,
  { model, id }: RecordKey,
  change: Updateable<Tables['oauth_records']>,
): Promise<void> {
  await db.updateTable('oauth_records').set(change).where('model', '=', model).where('id', '=', id).execute()
}

/**
 * Marks a record as used. Returns false if it was used before; of concurrent calls one returns true. The row stays
 * until `keptUntil`, so that reuse is detected.
 */
export async function consumeRecord(
  db: Db,
  { model, id }: RecordKey,
  { at, keptUntil }: { at: number; keptUntil: number },
): Promise<boolean> {
  const consumed = await db
    .updateTable('oauth_records')
    .set({ consumed_at: at, expires_at: keptUntil })
    .where('model', '=', model)
    .where('id', '=', id)
    .where('consumed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return consumed !== undefined
}

export async function deleteRecord(db: Db, { model, id }: RecordKey): Promise<void> {
  await db.deleteFrom('oauth_records').where('model', '=', model).where('id', '=', id).execute()
}

/**
 * Locks the session of a code or refresh token until the transaction ends. Call it before changing anything of the
 * session: deletions lock in the same order, which prevents deadlocks.
 */
export async function lockSessionOf(tx: Db, { model, id }: RecordKey): Promise<void> {
  await tx
    .updateTable('app_sessions')
    .set((eb) => ({ last_used_at: eb.ref('last_used_at') }))
    .where('id', '=', (eb) =>
      eb.selectFrom('oauth_records').select('session_id').where('model', '=', model).where('id', '=', id),
    )
    .execute()
}
