import type { Selectable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type CachedRow = Selectable<Tables['registry_cache']>

export async function findCached(db: Db, key: string): Promise<CachedRow | undefined> {
  return db.selectFrom('registry_cache').selectAll().where('key', '=', key).executeTakeFirst()
}

export async function saveCached(db: Db, row: CachedRow): Promise<void> {
  const { key: _, ...rest } = row
  await db
    .insertInto('registry_cache')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(rest))
    .execute()
}

export async function saveValidation(db: Db, key: string, at: number): Promise<void> {
  await db.updateTable('registry_cache').set({ validated_at: at, used_at: at }).where('key', '=', key).execute()
}

export async function saveUse(db: Db, key: string, at: number): Promise<void> {
  await db.updateTable('registry_cache').set({ used_at: at }).where('key', '=', key).execute()
}

export async function sumCachedBytes(db: Db): Promise<number> {
  const { bytes } = await db
    .selectFrom('registry_cache')
    .select((column) => column.fn.sum<number | null>('size_bytes').as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

export async function listLeastUsed(db: Db, limit: number): Promise<Pick<CachedRow, 'key' | 'size_bytes'>[]> {
  return db
    .selectFrom('registry_cache')
    .select(['key', 'size_bytes'])
    .orderBy('used_at')
    .orderBy('key')
    .limit(limit)
    .execute()
}

export async function deleteCached(db: Db, keys: readonly string[]): Promise<void> {
  await db
    .deleteFrom('registry_cache')
    .where('key', 'in', [...keys])
    .execute()
}
