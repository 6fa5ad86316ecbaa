import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { lookup } from '#foundation/db/lookup.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type UserSessionRow = Selectable<Tables['user_sessions']>

/** Sessions last used, or signed in, at or before these times have expired (epoch milliseconds). */
export interface Expiry {
  readonly usedBefore: number
  readonly signedInBefore: number
}

/**
 * 1 for a user `u` without a second factor whose group requires one: a group with a membership of the user, or the
 * group that manages the account.
 */
const mustEnroll = sql<number>`case
  when exists (select 1 from second_factors as f where f.user_id = u.id) then 0
  when exists (select 1 from groups as g where g.id = u.group_id and g.second_factor = 'required') then 1
  when exists (
    select 1 from memberships as m join groups as g on g.id = m.group_id
    where m.principal_id = u.id and m.principal_kind = 'user' and g.second_factor = 'required'
  ) then 1
  else 0
end`.as('must_enroll')

/** The same for sign-ins by the provider of the group that manages the account, whose own rule does not apply. */
const mustEnrollElsewhere = sql<number>`case
  when exists (select 1 from second_factors as f where f.user_id = u.id) then 0
  when exists (
    select 1 from memberships as m join groups as g on g.id = m.group_id
    where m.principal_id = u.id and m.principal_kind = 'user' and g.second_factor = 'required' and g.id <> u.group_id
  ) then 1
  else 0
end`.as('must_enroll_elsewhere')

/**
 * 1 for a user `u` who cannot sign in with a password: the group that manages the account requires a provider for the
 * domain of the address. Users with roles in other groups are exempt until they have connected the provider.
 */
const mustUseProvider = sql<number>`case
  when u.break_glass = 1 then 0
  when not exists (
    select 1 from identity_providers as p join identity_provider_domains as d on d.provider_id = p.id
    where p.group_id = u.group_id and p.mode = 'required' and u.email like '%@' || d.domain
  ) then 0
  when exists (select 1 from identities as i where i.user_id = u.id) then 1
  when exists (
    select 1 from memberships as m
    where m.principal_id = u.id and m.principal_kind = 'user' and m.group_id <> u.group_id
  ) then 0
  else 1
end`.as('must_use_provider')

/**
 * The shortest limit of the groups of a user `u`: those with a membership of the user, and the group that manages the
 * account.
 */
function shortest(column: 'session_hours' | 'session_idle_minutes') {
  return sql<number | null>`(
    select min(own.length) from (
      select g.${sql.ref(column)} as length from groups as g where g.id = u.group_id
      union all
      select g.${sql.ref(column)} as length from memberships as m join groups as g on g.id = m.group_id
      where m.principal_id = u.id and m.principal_kind = 'user'
    ) as own
  )`.as(column)
}

/** The shortest limits that the groups of a user set for sessions; null without a limit. */
export interface SessionPolicy {
  readonly session_hours: number | null
  readonly session_idle_minutes: number | null
}

const policy = [shortest('session_hours'), shortest('session_idle_minutes')] as const

const rules = [mustEnroll, mustEnrollElsewhere, mustUseProvider] as const

/** Finds the session with this digest and its user. It may have expired. */
export const findSessionHolder = lookup('s.digest', (db) =>
  db
    .selectFrom('user_sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select([
      's.id',
      's.user_id',
      's.mark',
      's.signed_in_at',
      's.last_used_at',
      'u.name',
      'u.email',
      'u.username',
      'u.password_hash',
      'u.factors_changed_at',
      'u.disabled_at',
    ])
    .select(rules)
    .select(policy),
)

export async function insertSession(tx: Db, session: Insertable<Tables['user_sessions']>): Promise<void> {
  await tx.insertInto('user_sessions').values(session).execute()
}

type Renewal = Pick<
  UserSessionRow,
  'digest' | 'mark' | 'user_agent' | 'address' | 'signed_in_at' | 'last_used_at' | 'identity_id'
> & { readonly provider_session?: string | null }

/** Returns false if the session no longer exists. */
export async function renewSession(tx: Db, id: string, renewal: Renewal): Promise<boolean> {
  const row = await tx.updateTable('user_sessions').set(renewal).where('id', '=', id).returning('id').executeTakeFirst()
  return row !== undefined
}

/** Returns the last use of a session, and the rules of its user's groups. It may have expired. */
export async function findSessionTimes(db: Db, id: string) {
  return db
    .selectFrom('user_sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.last_used_at', 's.signed_in_at'])
    .select(policy)
    .where('s.id', '=', id)
    .executeTakeFirst()
}

export async function findSessionPolicy(db: Db, userId: string): Promise<SessionPolicy | undefined> {
  return db.selectFrom('users as u').select(policy).where('u.id', '=', userId).executeTakeFirst()
}

/** Stores a use. The newest use wins, in whatever order processes write. */
export async function saveSessionUse(db: Db, id: string, { at, address }: { at: number; address?: string }) {
  await db
    .updateTable('user_sessions')
    .set({ last_used_at: at, ...(address !== undefined && { address }) })
    .where('id', '=', id)
    .where('last_used_at', '<', at)
    .execute()
}

const MAX_LISTED = 100

/** Lists the unexpired sessions of a user, most recently used first. */
export async function listSessions(db: Db, userId: string, { usedBefore, signedInBefore }: Expiry) {
  return db
    .selectFrom('user_sessions')
    .select(['id', 'address', 'user_agent', 'signed_in_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('last_used_at', '>', usedBefore)
    .where('signed_in_at', '>', signedInBefore)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute()
}

/** Returns false if the user does not have this session. */
export async function deleteSession(tx: Db, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const row = await tx
    .deleteFrom('user_sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the user's sessions, except one. Returns their number. */
export async function deleteSessions(tx: Db, userId: string, exceptId?: string): Promise<number> {
  let query = tx.deleteFrom('user_sessions').where('user_id', '=', userId)
  if (exceptId !== undefined) query = query.where('id', '!=', exceptId)
  return (await query.returning('id').execute()).length
}

export async function deleteExpiredSessions(db: Db, { usedBefore, signedInBefore }: Expiry): Promise<void> {
  await db
    .deleteFrom('user_sessions')
    .where((eb) => eb.or([eb('last_used_at', '<=', usedBefore), eb('signed_in_at', '<=', signedInBefore)]))
    .execute()
}

/** Returns the data on which the sign-ins of a user depend. */
export async function findSignInState(db: Db, userId: string) {
  return db
    .selectFrom('users as u')
    .select(['u.password_hash', 'u.factors_changed_at', 'u.disabled_at'])
    .select(rules)
    .where('u.id', '=', userId)
    .executeTakeFirst()
}
