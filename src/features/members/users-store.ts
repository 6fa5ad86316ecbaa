import type { Insertable, Updateable } from 'kysely'
import { findUser, type UserRow } from '#features/user-sessions/users-store.ts'
import { type Db, isUniqueViolation } from '#foundation/db/database.ts'
import { byAge, type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { contains } from '#foundation/db/text-match.ts'
import { notFound, Problem } from '#foundation/problem.ts'

export interface UserFilters {
  readonly email?: string | undefined
  /** Part of the name, case-insensitive. */
  readonly name?: string | undefined
  /** Part of the name or the email address, case-insensitive. */
  readonly q?: string | undefined
}

export const usersByAge: Keyset<UserRow> = byAge('users')

export async function listUsers(
  db: Db,
  { groupId, filters }: { groupId: string; filters: UserFilters },
  window: Window,
): Promise<Page<UserRow>> {
  let query = db.selectFrom('users').selectAll().where('group_id', '=', groupId)
  if (filters.email !== undefined) query = query.where('email', '=', filters.email.toLowerCase())
  if (filters.name !== undefined) query = query.where(contains(db, 'users.name', filters.name))
  const { q } = filters
  if (q !== undefined)
    query = query.where(({ or }) => or([contains(db, 'users.name', q), contains(db, 'users.email', q)]))
  return readPage(query, usersByAge, window)
}

export async function getUser(db: Db, groupId: string, id: string): Promise<UserRow> {
  const user = await findUser(db, id)
  if (user?.group_id !== groupId) throw notFound(`User ${id}`)
  return user
}

/** The side that disabled a user. Only an administrator can enable a user whom an administrator disabled. */
export type DisabledBy = 'administrator' | 'provider'

export async function saveDisabled(tx: Db, id: string, { at, by }: { at: number; by: DisabledBy }): Promise<void> {
  await tx.updateTable('users').set({ disabled_at: at, disabled_by: by }).where('id', '=', id).execute()
}

export async function saveEnabled(tx: Db, id: string): Promise<UserRow> {
  const change = { disabled_at: null, disabled_by: null }
  return tx.updateTable('users').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function insertUser(tx: Db, user: Insertable<Tables['users']>): Promise<UserRow> {
  try {
    return await tx.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Problem('name-taken', `There is already a user with the address ${user.email}`, {
      source: { pointer: '/data/attributes/email' },
    })
  }
}

export async function updateUser(tx: Db, id: string, changes: Updateable<Tables['users']>): Promise<UserRow> {
  return tx.updateTable('users').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteUser(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}
