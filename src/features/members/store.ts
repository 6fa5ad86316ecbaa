import { groupAdmin } from '#foundation/access/built-in-roles.ts'
import { countRows } from '#foundation/db/count-rows.ts'
import { type Db, isReferenceViolation, isUniqueViolation } from '#foundation/db/database.ts'
import { type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import { notFound, Problem } from '#foundation/problem.ts'

/** A user's membership of a group or an organization, with the names of the user and the role. */
export type MembershipRow = Awaited<ReturnType<typeof getMembership>>

export interface MembershipFilters {
  readonly userId?: string | undefined
  readonly email?: string | undefined
  readonly username?: string | undefined
  readonly roleName?: string | undefined
}

export type SortKey = 'created_at' | 'username' | 'user_display_name' | 'email' | 'role'

const sortColumns: Record<SortKey, { column: string; value(row: MembershipRow): string | number }> = {
  created_at: { column: 'm.created_at', value: (row) => row.created_at },
  username: { column: 'u.username', value: (row) => row.username },
  user_display_name: { column: 'u.name', value: (row) => row.user_name },
  email: { column: 'u.email', value: (row) => row.email },
  role: { column: 'r.name', value: (row) => row.role_name },
}

export function membershipsBy(sort: SortKey, order: 'asc' | 'desc'): Keyset<MembershipRow> {
  const { column, value } = sortColumns[sort]
  return { columns: [column, 'm.id'], position: (row) => [value(row), row.id], order }
}

/** Selects the memberships of users in exactly this place. Those of service accounts have their own operations. */
function membershipsOf(db: Db, { groupId, orgId }: OrgOrGroup) {
  const query = db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.principal_id')
    .innerJoin('roles as r', 'r.id', 'm.role_id')
    .select(['m.id', 'm.created_at', 'm.group_id', 'm.org_id', 'm.role_id', 'r.name as role_name'])
    .select(['u.id as user_id', 'u.name as user_name', 'u.username', 'u.email', 'u.disabled_at'])
    .where('m.principal_kind', '=', 'user')
    .where('m.group_id', '=', groupId)
  return orgId === null ? query.where('m.org_id', 'is', null) : query.where('m.org_id', '=', orgId)
}

export async function listMemberships(
  db: Db,
  { place, filters, keyset }: { place: OrgOrGroup; filters: MembershipFilters; keyset: Keyset<MembershipRow> },
  window: Window,
): Promise<Page<MembershipRow>> {
  let query = membershipsOf(db, place)
  if (filters.userId !== undefined) query = query.where('u.id', '=', filters.userId)
  if (filters.email !== undefined) query = query.where('u.email', '=', filters.email.toLowerCase())
  if (filters.username !== undefined) query = query.where('u.username', '=', filters.username)
  if (filters.roleName !== undefined) query = query.where('r.name', '=', filters.roleName)
  return readPage(query, keyset, window)
}

export async function getMembership(db: Db, place: OrgOrGroup, id: string) {
  const row = await membershipsOf(db, place).where('m.id', '=', id).executeTakeFirst()
  if (!row) throw notFound(`Membership ${id}`)
  return row
}

export async function findMembershipOf(db: Db, place: OrgOrGroup, userId: string): Promise<MembershipRow | undefined> {
  return membershipsOf(db, place).where('u.id', '=', userId).executeTakeFirst()
}

/** Lists all members of a place, oldest membership first. */
export async function listAllMembers(db: Db, place: OrgOrGroup): Promise<MembershipRow[]> {
  return membershipsOf(db, place).orderBy('m.created_at').orderBy('m.id').execute()
}

/** A membership of a group or of one of its organizations. */
export type GroupMemberRow = Awaited<ReturnType<typeof listMembersOfWholeGroup>>[number]

/** Lists the memberships of a group and of its organizations, by user, oldest first. */
export async function listMembersOfWholeGroup(db: Db, groupId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.principal_id')
    .innerJoin('roles as r', 'r.id', 'm.role_id')
    .leftJoin('orgs as o', 'o.id', 'm.org_id')
    .select(['u.id as user_id', 'u.name as user_name', 'u.username', 'u.email'])
    .select(['r.name as role_name', 'o.name as org_name'])
    .where('m.principal_kind', '=', 'user')
    .where('m.group_id', '=', groupId)
    .orderBy('u.created_at')
    .orderBy('u.id')
    .orderBy('m.created_at')
    .orderBy('m.id')
    .execute()
}

interface NewMembership {
  readonly id: string
  readonly userId: string
  readonly roleId: string
  readonly at: number
  /** The identity provider whose claims grant the role. */
  readonly providerId?: string
}

export async function insertMembership(
  tx: Db,
  place: OrgOrGroup,
  { id, userId, roleId, at, providerId }: NewMembership,
): Promise<void> {
  try {
    await tx
      .insertInto('memberships')
      .values({
        id,
        principal_kind: 'user',
        principal_id: userId,
        group_id: place.groupId,
        org_id: place.orgId,
        role_id: roleId,
        created_at: at,
        provider_id: providerId ?? null,
      })
      .execute()
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw new Problem('conflict', 'The user is a member already; change the role of the existing membership instead')
    }
    // Both existed when the request began.
    if (isReferenceViolation(error)) throw new Problem('conflict', 'The organization or the role has just been deleted')
    throw error
  }
}

/** Changes the role of a membership. From then on the given provider manages it, or, without one, administrators. */
export async function updateMembershipRole(
  tx: Db,
  id: string,
  roleId: string,
  providerId: string | null = null,
): Promise<void> {
  try {
    await tx.updateTable('memberships').set({ role_id: roleId, provider_id: providerId }).where('id', '=', id).execute()
  } catch (error) {
    if (isReferenceViolation(error)) throw new Problem('conflict', 'The role has just been deleted')
    throw error
  }
}

export async function deleteMembership(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('memberships').where('id', '=', id).execute()
}

export async function listOrgMemberships(db: Db, groupId: string, userId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('roles as r', 'r.id', 'm.role_id')
    .select(['m.id', 'm.org_id', 'm.role_id', 'r.name as role_name'])
    .where('m.principal_kind', '=', 'user')
    .where('m.principal_id', '=', userId)
    .where('m.group_id', '=', groupId)
    .where('m.org_id', 'is not', null)
    .execute()
}

/** Lists all memberships of a user, each with the permissions of its role. */
export async function listEveryMembership(db: Db, userId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('roles as r', 'r.id', 'm.role_id')
    .select(['m.id', 'm.group_id', 'm.org_id', 'm.role_id', 'm.provider_id', 'r.permissions'])
    .where('m.principal_kind', '=', 'user')
    .where('m.principal_id', '=', userId)
    .execute()
}

export async function deleteEveryMembership(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('memberships').where('principal_kind', '=', 'user').where('principal_id', '=', userId).execute()
}

/**
 * Locks a group's administrators until the transaction ends, so that two of them cannot remove each other. The lock is
 * an update, which both engines support.
 */
export async function lockGroup(tx: Db, groupId: string): Promise<void> {
  await tx
    .updateTable('groups')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', groupId)
    .execute()
}

/** Counts the other enabled users with the role Group Admin. */
export async function countOtherGroupAdmins(db: Db, groupId: string, userId: string): Promise<number> {
  return countRows(
    membershipsOf(db, { groupId, orgId: null })
      .where('m.role_id', '=', groupAdmin.id)
      .where('u.disabled_at', 'is', null)
      .where('u.id', '<>', userId),
  )
}
