import type { Db } from '#foundation/db/database.ts'
import type { GroupRow } from './store.ts'

/** The setting that holds the id of the server's first group. */
const FIRST_GROUP = 'first-group'

/**
 * Records the oldest group as the first one, unless one is recorded. Recording it once keeps it fixed even if clocks
 * run backward later.
 */
export async function recordFirstGroup(db: Db): Promise<void> {
  if ((await findRecordedFirstGroupId(db)) !== undefined) return
  const oldest = await findOldestGroupId(db)
  if (oldest === undefined) return
  await db
    .insertInto('settings')
    .values({ name: FIRST_GROUP, value: oldest })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns the id of the group that the server's first start created. */
export async function findFirstGroupId(db: Db): Promise<string | undefined> {
  return (await findRecordedFirstGroupId(db)) ?? findOldestGroupId(db)
}

async function findRecordedFirstGroupId(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', FIRST_GROUP).executeTakeFirst()
  return row?.value
}

async function findOldestGroupId(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('groups').select('id').orderBy('created_at').orderBy('id').limit(1).executeTakeFirst()
  return row?.id
}

interface NewGroup {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly at: number
}

/** Returns undefined if another group has the slug. */
export async function insertGroup(tx: Db, { id, name, slug, at }: NewGroup): Promise<GroupRow | undefined> {
  return tx
    .insertInto('groups')
    .values({ id, name, slug, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returningAll()
    .executeTakeFirst()
}
