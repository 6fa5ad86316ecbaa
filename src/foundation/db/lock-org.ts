import type { Db } from './database.ts'

/**
 * Locks an organization before something is added to it, so that it is not deleted meanwhile and concurrent counts
 * include the addition. Returns false if it was deleted.
 */
export async function lockOrg(tx: Db, id: string): Promise<boolean> {
  const row = await tx
    .updateTable('orgs')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
