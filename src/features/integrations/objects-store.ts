import { countRows } from '#foundation/db/count-rows.ts'
import type { Db } from '#foundation/db/database.ts'
import { notFound } from '#foundation/problem.ts'

const PLACE_DIGITS = 6

/** Keys below the prefix, in the order of the pieces. */
function keyOf(archiveId: string, place: number): string {
  return `archives/${archiveId}/${String(place).padStart(PLACE_DIGITS, '0')}`
}

/** Records an object before it is uploaded. Throws 404 if the archive was deleted meanwhile. */
export async function insertObject(
  db: Db,
  { archiveId, place, at }: { archiveId: string; place: number; at: number },
): Promise<string> {
  const archive = await db.selectFrom('archives').select('id').where('id', '=', archiveId).executeTakeFirst()
  if (archive === undefined) throw notFound('Archive')
  const key = keyOf(archiveId, place)
  await db
    .insertInto('stored_objects')
    .values({ key, archive_id: archiveId, created_at: at, orphaned_at: null })
    .execute()
  return key
}

export async function listObjects(db: Db, archiveId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('stored_objects')
    .select('key')
    .where('archive_id', '=', archiveId)
    .orderBy('key')
    .execute()
  return rows.map(({ key }) => key)
}

/** Records the time at which objects lost their archive, from which they are kept for some days. */
export async function markOrphans(db: Db, at: number): Promise<void> {
  await db
    .updateTable('stored_objects')
    .set({ orphaned_at: at })
    .where('orphaned_at', 'is', null)
    .where('archive_id', 'not in', db.selectFrom('archives').select('id'))
    .execute()
}

export async function listOrphans(db: Db, { before, count }: { before: number; count: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('stored_objects')
    .select('key')
    .where('orphaned_at', '<=', before)
    .orderBy('orphaned_at')
    .limit(count)
    .execute()
  return rows.map(({ key }) => key)
}

export async function deleteObjects(db: Db, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await db.deleteFrom('stored_objects').where('key', 'in', keys).execute()
}

export async function hasObjects(db: Db): Promise<boolean> {
  return (await db.selectFrom('stored_objects').select('key').limit(1).executeTakeFirst()) !== undefined
}

export async function countArchivesInBucket(db: Db): Promise<number> {
  return countRows(db.selectFrom('archives').where('is_in_bucket', '=', 1))
}
