import type { Db } from './database.ts'

/**
 * Holds an organisation that something is about to be added to, so that it stays meanwhile and others count what was added.
 * False when it is gone.
 */
export async function holdOrg(tx: Db, id: string): Promise<boolean> {
  const held = await tx
    .updateTable('orgs')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return held !== undefined
}
