import { type Db, isDeadlock } from '#foundation/db/database.ts'

const MOST_AT_ONCE = 500

/** Lists some webhooks whose stored URL does not begin with the prefix. */
export async function listUrlsWithout(db: Db, prefix: string) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'org_id', 'url'])
    .where('url', 'not like', `${prefix}%`)
    .limit(MOST_AT_ONCE)
    .execute()
}

/** Replaces a URL unless it changed meanwhile or another transaction has locked the row. */
export async function replaceUrl(
  db: Db,
  id: string,
  { before, after }: { before: string; after: string },
): Promise<void> {
  try {
    await db.updateTable('webhooks').set({ url: after }).where('id', '=', id).where('url', '=', before).execute()
  } catch (error) {
    if (!isDeadlock(error)) throw error
  }
}
