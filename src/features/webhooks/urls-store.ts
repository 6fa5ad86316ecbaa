import { type Db, isDeadlock } from '#foundation/db/database.ts'

const MOST_AT_ONCE = 500

/** Some webhooks whose stored URL does not begin with the prefix. */
export async function listUrlsWithout(db: Db, prefix: string) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'org_id', 'url'])
    .where('url', 'not like', `${prefix}%`)
    .limit(MOST_AT_ONCE)
    .execute()
}

/** Leaves a URL that is another one by now, or a row that another transaction fights for. */
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
