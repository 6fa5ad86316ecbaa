import type { BuiltInRole } from '#foundation/access/built-in-roles.ts'
import type { Db } from '#foundation/db/database.ts'

export async function findSetting(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Stores a setting once; returns true if this call stored it. */
export async function takeSetting(tx: Db, name: string, value: string): Promise<boolean> {
  const row = await tx
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .executeTakeFirst()
  return row !== undefined
}

/** Writes only differences, so that a start without changes writes nothing. */
export async function saveBuiltInRoles(db: Db, roles: readonly BuiltInRole[], now: number): Promise<void> {
  const stored = await db.selectFrom('roles').selectAll().where('group_id', 'is', null).execute()
  for (const { id, name, description, permissions } of roles) {
    const role = { name, description, permissions: JSON.stringify(permissions) }
    const existing = stored.find((row) => row.id === id)
    if (
      existing &&
      existing.name === name &&
      existing.description === description &&
      existing.permissions === role.permissions
    )
      continue
    await db
      .insertInto('roles')
      .values({ id, group_id: null, ...role, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...role, updated_at: now }))
      .execute()
  }
}

export async function findOldestOrg(db: Db): Promise<{ id: string; group_id: string } | undefined> {
  return db.selectFrom('orgs').select(['id', 'group_id']).orderBy('created_at').orderBy('id').executeTakeFirst()
}

export async function insertOrg(
  tx: Db,
  org: { id: string; groupId: string; name: string; slug: string; at: number },
): Promise<void> {
  const { at, groupId, ...columns } = org
  await tx
    .insertInto('orgs')
    .values({ ...columns, group_id: groupId, created_at: at, updated_at: at })
    .execute()
}

export async function insertUser(
  tx: Db,
  user: { id: string; groupId: string; email: string; name: string; passwordHash: string; at: number },
): Promise<void> {
  await tx
    .insertInto('users')
    .values({
      id: user.id,
      group_id: user.groupId,
      email: user.email,
      username: user.email,
      name: user.name,
      password_hash: user.passwordHash,
      created_at: user.at,
      updated_at: user.at,
    })
    .execute()
}

export async function insertGroupMembership(
  tx: Db,
  membership: { id: string; userId: string; groupId: string; roleId: string; at: number },
): Promise<void> {
  await tx
    .insertInto('memberships')
    .values({
      id: membership.id,
      principal_kind: 'user',
      principal_id: membership.userId,
      group_id: membership.groupId,
      org_id: null,
      role_id: membership.roleId,
      created_at: membership.at,
    })
    .execute()
}

export async function deleteIdempotencyKeys(db: Db, createdBefore: number): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', createdBefore).execute()
}

export async function findUserByEmail(db: Db, email: string) {
  return db.selectFrom('users').select(['id', 'group_id']).where('email', '=', email).executeTakeFirst()
}
