import type { Db } from '#foundation/db/database.ts'

export interface WrappedKey {
  readonly id: string
  readonly wrapped: Uint8Array
  readonly active_at: number
}

export async function listKeysOf(db: Db, fingerprint: string): Promise<WrappedKey[]> {
  return db
    .selectFrom('secret_keys')
    .select(['id', 'wrapped', 'active_at'])
    .where('wrapped_by', '=', fingerprint)
    .orderBy('active_at')
    .orderBy('id')
    .execute()
}

/** Returns the fingerprints of the secret keys that decrypt the stored keys. */
export async function listFingerprints(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('secret_keys').select('wrapped_by').distinct().execute()
  return rows.map(({ wrapped_by }) => wrapped_by)
}

export async function insertKeys(tx: Db, fingerprint: string, keys: readonly WrappedKey[]): Promise<void> {
  await tx
    .insertInto('secret_keys')
    .values(keys.map((key) => ({ ...key, wrapped_by: fingerprint })))
    .execute()
}

export async function deleteKeys(tx: Db): Promise<void> {
  await tx.deleteFrom('secret_keys').execute()
}

/** Deletes keys that are wrapped with other secret keys, and data keys that are no longer needed. */
export async function deleteOtherKeys(
  tx: Db,
  { fingerprint, kept }: { fingerprint: string; kept: readonly string[] },
): Promise<void> {
  await tx
    .deleteFrom('secret_keys')
    .where((where) => where.or([where('wrapped_by', '!=', fingerprint), where('id', 'not in', kept)]))
    .execute()
}

export async function replaceFingerprint(tx: Db, fingerprint: string): Promise<void> {
  await tx.updateTable('settings').set({ value: fingerprint }).where('name', '=', 'secret-key-fingerprint').execute()
}

/** Returns the fingerprint of the secret key that servers should use. */
export async function findFingerprint(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'secret-key-fingerprint')
    .executeTakeFirst()
  return row?.value
}

export async function listGroupIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('groups').select('id').execute()
  return rows.map(({ id }) => id)
}
