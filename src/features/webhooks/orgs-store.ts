import type { Db } from '#foundation/db/database.ts'

export async function findGroupOfOrg(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('orgs').select('group_id').where('id', '=', id).executeTakeFirst()
  return row?.group_id
}
