import type { Db } from '#foundation/db/database.ts'

/** Lists the disabled users whose accounts a group manages, most recently disabled first. */
export async function listDisabled(db: Db, groupId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'disabled_at', 'disabled_by'])
    .where('group_id', '=', groupId)
    .where('disabled_at', 'is not', null)
    .orderBy('disabled_at', 'desc')
    .orderBy('id')
    .limit(1000)
    .execute()
}

/** Lists users whom a provider disabled at or before a time, and who still have API keys or authorized apps. */
export async function listSuspended(db: Db, at: number): Promise<string[]> {
  const rows = await db
    .selectFrom('users as u')
    .select('u.id')
    .where('u.disabled_by', '=', 'provider')
    .where('u.disabled_at', '<=', at)
    .where((eb) =>
      eb.or([
        eb.exists(eb.selectFrom('credentials as c').select('c.id').whereRef('c.owner_id', '=', 'u.id')),
        eb.exists(eb.selectFrom('app_sessions as s').select('s.id').whereRef('s.user_id', '=', 'u.id')),
        eb.exists(eb.selectFrom('app_installs as i').select('i.id').whereRef('i.user_id', '=', 'u.id')),
      ]),
    )
    .limit(100)
    .execute()
  return rows.map(({ id }) => id)
}
