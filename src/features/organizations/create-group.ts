import { randomUUID } from 'node:crypto'
import { addMembership } from '#features/members/change-membership.ts'
import { groupAdmin } from '#foundation/access/built-in-roles.ts'
import type { Principal } from '#foundation/access/caller.ts'
import { type Permission, permissionNames } from '#foundation/access/permissions.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { findFirstGroupId, insertGroup } from './groups-store.ts'
import type { GroupRow } from './store.ts'
import { insertWithFreeSlug } from './to-slug.ts'

const needed: Permission = 'group.create'
const everything: ReadonlySet<Permission> = new Set(permissionNames)

/**
 * Throws 403 unless the caller has `group.create` in the server's first group. In other groups the permission has no
 * effect, so an administrator of one tenant cannot create further tenants.
 */
export async function requireGroupCreation(
  { db, access }: Pick<Services, 'db' | 'access'>,
  principal: Principal,
): Promise<void> {
  const firstId = await findFirstGroupId(db)
  const effective = firstId === undefined ? undefined : await access.permissionsInGroup(principal, firstId)
  if (effective?.permissions.has(needed)) return
  throw new Problem(
    'forbidden',
    `You need the permission ${needed} in the server's first group. Ask an administrator of that group, or use gatehouse admin create-group.`,
  )
}

/** Creates an empty group. The caller adds its first administrator in the same transaction. */
export async function createGroup({ tx, actor, at }: Change, name: string): Promise<GroupRow> {
  const group = await insertWithFreeSlug(name, 'group', (slug) => insertGroup(tx, { id: randomUUID(), name, slug, at }))
  await recordAudit(
    { tx, actor, at },
    { id: group.id, group_id: group.id },
    { action: 'group.create', after: { name: group.name, slug: group.slug } },
  )
  return group
}

/** Assigns the role Group Admin of a new group to a user. */
export async function addFirstAdmin(change: Change, groupId: string, userId: string): Promise<void> {
  const place = { groupId, orgId: null }
  await addMembership(
    { ...change, place, permissions: everything },
    { userId, roleId: groupAdmin.id, maySee: async () => true },
  )
}
