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

export async function deleteIdempotencyKeys(db: Db, createdBefore: number): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', createdBefore).execute()
}
