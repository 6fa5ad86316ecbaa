import { groupAdmin } from '#foundation/access/built-in-roles.ts'
import type { Db } from '#foundation/db/database.ts'

export async function saveBreakGlass(tx: Db, userId: string, isAllowed: boolean): Promise<void> {
  await tx
    .updateTable('users')
    .set({ break_glass: isAllowed ? 1 : null })
    .where('id', '=', userId)
    .execute()
}

export async function isProviderRequired(db: Db, groupId: string): Promise<boolean> {
  const row = await db
    .selectFrom('identity_providers')
    .select('id')
    .where('group_id', '=', groupId)
    .where('mode', '=', 'required')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Lists the administrators of a group whose accounts it manages, with the columns that decide how they can sign in. */
export async function listAdministrators(db: Db, groupId: string) {
  return db
    .selectFrom('users as u')
    .innerJoin('memberships as m', 'm.principal_id', 'u.id')
    .select(['u.id', 'u.name', 'u.email', 'u.break_glass', 'u.password_hash', 'u.disabled_at'])
    .where('u.group_id', '=', groupId)
    .where('m.principal_kind', '=', 'user')
    .where('m.group_id', '=', groupId)
    .where('m.org_id', 'is', null)
    .where('m.role_id', '=', groupAdmin.id)
    .orderBy('u.email')
    .limit(1000)
    .execute()
}

/** Counts break-glass administrators who can sign in, except one user. */
export async function countBreakGlass(db: Db, groupId: string, exceptId?: string): Promise<number> {
  const administrators = await listAdministrators(db, groupId)
  return administrators.filter(
    ({ id, break_glass, password_hash, disabled_at }) =>
      id !== exceptId && break_glass === 1 && password_hash !== null && disabled_at === null,
  ).length
}
