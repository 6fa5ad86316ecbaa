import type { Selectable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type UserRow = Selectable<Tables['users']>

export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds a user by an email address in lower case. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
}

/**
 * Locks an account that is about to change until the transaction ends. The lock is an update, which both engines
 * support.
 */
export async function lockUser(tx: Db, id: string): Promise<UserRow | undefined> {
  return tx
    .updateTable('users')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Returns the group that manages a user's account: changes by the user are recorded in its audit log. */
export async function findGroupOfUser(db: Db, userId: string): Promise<string | undefined> {
  return (await findUser(db, userId))?.group_id
}
