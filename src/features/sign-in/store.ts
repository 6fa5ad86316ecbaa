import type { Db } from '#foundation/db/database.ts'

export async function findOrgName(db: Db, id: string): Promise<string | undefined> {
  return (await db.selectFrom('orgs').select('name').where('id', '=', id).executeTakeFirst())?.name
}
