import type { Selectable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type AccountRow = Pick<
  Selectable<Tables['users']>,
  'id' | 'group_id' | 'name' | 'email' | 'password_hash' | 'factors_changed_at' | 'disabled_at' | 'disabled_by'
>

const accountColumns = [
  'id',
  'group_id',
  'name',
  'email',
  'password_hash',
  'factors_changed_at',
  'disabled_at',
  'disabled_by',
] as const

/** Finds an account by an e-mail address in lower case. */
export async function findAccountByEmail(db: Db, email: string): Promise<AccountRow | undefined> {
  return db.selectFrom('users').select(accountColumns).where('email', '=', email).executeTakeFirst()
}

export async function findAccount(db: Db, id: string): Promise<AccountRow | undefined> {
  return db.selectFrom('users').select(accountColumns).where('id', '=', id).executeTakeFirst()
}

/**
 * Locks an account that is about to authorize an app until the transaction ends, so that it is not deleted meanwhile.
 */
export async function lockAccount(tx: Db, id: string): Promise<AccountRow | undefined> {
  return tx
    .updateTable('users')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .returning(accountColumns)
    .executeTakeFirst()
}

export async function findOrgName(db: Db, id: string): Promise<string | undefined> {
  return (await db.selectFrom('orgs').select('name').where('id', '=', id).executeTakeFirst())?.name
}
