import type { Db } from '#foundation/db/database.ts'
import type { MembershipSummary } from './user-resource.ts'

/** Reads the role in the group and the number of organizations of some users at once. */
export async function summarizeMemberships(
  db: Db,
  groupId: string,
  users: readonly { readonly id: string }[],
): Promise<(user: { readonly id: string }) => MembershipSummary> {
  if (users.length === 0) return () => ({ groupRole: undefined, orgs: 0 })
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select((eb) => [
      'memberships.principal_id as user_id',
      eb.fn
        .max(eb.case().when('memberships.org_id', 'is', null).then(eb.ref('roles.name')).else(null).end())
        .as('role'),
      eb.fn.count<number | string>('memberships.org_id').as('orgs'),
    ])
    .where('memberships.principal_kind', '=', 'user')
    .where('memberships.group_id', '=', groupId)
    .where(
      'memberships.principal_id',
      'in',
      users.map(({ id }) => id),
    )
    .groupBy('memberships.principal_id')
    .execute()
  const byUser = new Map(
    rows.map(({ user_id, role, orgs }) => [user_id, { groupRole: role ?? undefined, orgs: Number(orgs) }]),
  )
  return ({ id }) => byUser.get(id) ?? { groupRole: undefined, orgs: 0 }
}
