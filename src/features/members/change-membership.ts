import { randomUUID } from 'node:crypto'
import { getAssignableRole, requireHeld, requireNotGreater } from '#features/roles/assignable-role.ts'
import { findRole, permissionsOf } from '#features/roles/store.ts'
import { lockUser, type UserRow } from '#features/user-sessions/users-store.ts'
import { groupAdmin } from '#foundation/access/built-in-roles.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import { Problem } from '#foundation/problem.ts'
import * as store from './store.ts'

export interface MembershipChange extends Change {
  readonly place: OrgOrGroup
  readonly permissions: ReadonlySet<Permission>
}

const roleSource = { pointer: '/data/relationships/role/data/id' }
const userSource = { pointer: '/data/relationships/user/data/id' }

interface MembershipInput {
  readonly userId: string
  readonly roleId: string
  /** Returns true if the caller may see an account of another group. */
  maySee(user: UserRow): Promise<boolean>
}

export async function addMembership(change: MembershipChange, input: MembershipInput): Promise<store.MembershipRow> {
  const { tx, place, at } = change
  const user = await lockUser(tx, input.userId)
  if (!user || (user.group_id !== place.groupId && !(await input.maySee(user)))) {
    throw new Problem('not-found', `User ${input.userId} not found`, { source: userSource })
  }
  const role = await getAssignableRole(tx, place, { id: input.roleId, source: roleSource })
  requireHeld(change.permissions, permissionsOf(role))
  const id = randomUUID()
  await store.insertMembership(tx, place, { id, userId: user.id, roleId: role.id, at })
  const membership = await store.getMembership(tx, place, id)
  await recordAudit(change, membership, { action: 'membership.create', after: toAudited(membership) })
  return membership
}

export async function changeRole(change: MembershipChange, id: string, roleId: string): Promise<void> {
  const { tx, place } = change
  await store.lockGroup(tx, place.groupId)
  const membership = await store.getMembership(tx, place, id)
  const role = await getAssignableRole(tx, place, { id: roleId, source: roleSource })
  requireHeld(change.permissions, permissionsOf(role))
  await requireNotAbove(change, membership)
  if (role.id !== groupAdmin.id) await requireAnotherGroupAdmin(tx, membership)
  await store.updateMembershipRole(tx, id, role.id)
  const after = { ...membership, role_id: role.id, role_name: role.name }
  await recordAudit(change, membership, {
    action: 'membership.update',
    before: toAudited(membership),
    after: toAudited(after),
  })
}

/** Removes a membership; with `cascade`, also the user's memberships of the group's organizations. */
export async function removeMembership(change: MembershipChange, id: string, { cascade = false } = {}): Promise<void> {
  const { tx, place } = change
  await store.lockGroup(tx, place.groupId)
  const membership = await store.getMembership(tx, place, id)
  await requireNotAbove(change, membership)
  await requireAnotherGroupAdmin(tx, membership)
  await store.deleteMembership(tx, id)
  await recordAudit(change, membership, { action: 'membership.delete', before: toAudited(membership) })
  if (!cascade) return
  for (const child of await store.listOrgMemberships(tx, place.groupId, membership.user_id)) {
    const removed = { ...membership, ...child }
    await requireNotAbove(change, removed)
    await store.deleteMembership(tx, child.id)
    await recordAudit(change, removed, { action: 'membership.delete', before: toAudited(removed) })
  }
}

/** Refuses to change a membership with more permissions than the caller has. Users may always give up their own. */
async function requireNotAbove(
  { tx, place, actor, permissions }: MembershipChange,
  membership: store.MembershipRow,
): Promise<void> {
  if (actor.id === membership.user_id) return
  const role = await findRole(tx, place.groupId, membership.role_id)
  if (role) requireNotGreater(permissions, permissionsOf(role))
}

/** Requires another administrator, so that access can still be granted. The group must be locked. */
export async function requireAnotherGroupAdmin(
  tx: Db,
  membership: Pick<store.MembershipRow, 'org_id' | 'role_id' | 'group_id' | 'user_id'>,
): Promise<void> {
  if (membership.org_id !== null || membership.role_id !== groupAdmin.id) return
  if ((await store.countOtherGroupAdmins(tx, membership.group_id, membership.user_id)) > 0) return
  throw new Problem('conflict', `This is the last ${groupAdmin.name} of the group; appoint another one first`)
}

function toAudited(membership: store.MembershipRow): object {
  const { user_id, email, role_id, role_name } = membership
  return { user_id, email, role_id, role_name }
}
