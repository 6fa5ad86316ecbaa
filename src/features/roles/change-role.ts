import { randomUUID } from 'node:crypto'
import type { Permission } from '#foundation/access/permissions.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import type { GroupChange } from '#foundation/http/change.ts'
import { Problem } from '#foundation/problem.ts'
import { isOfGroup, requireHeld, requireNotGreater } from './assignable-role.ts'
import {
  countHolders,
  deleteRole,
  getRole,
  insertRole,
  permissionsOf,
  type RoleContent,
  type RoleRow,
  updateRole,
} from './store.ts'

export async function createRole(change: GroupChange, content: RoleContent): Promise<RoleRow> {
  requireHeld(change.permissions, content.permissions)
  const role = await insertRole(change.tx, { ...change, id: randomUUID() }, content)
  await recordAudit(change, role, { action: 'role.create', after: toAudited(role) })
  return role
}

/** Edits a role. The caller must have all added and removed permissions; permissions that stay are not checked. */
export async function editRole(change: GroupChange, id: string, input: Partial<RoleContent>): Promise<RoleRow> {
  const role = await getCustomRole(change, id)
  const before = permissionsOf(role)
  const content = { name: role.name, description: role.description, permissions: before, ...input }
  requireHeld(
    change.permissions,
    content.permissions.filter((permission) => !before.includes(permission)),
  )
  requireNotGreater(
    change.permissions,
    before.filter((permission) => !content.permissions.includes(permission)),
  )
  await requireOrgPermissionsWhereInOrgs(change.tx, role, content.permissions)
  const edited = await updateRole(change.tx, { ...change, id }, content)
  await recordAudit(change, role, { action: 'role.update', before: toAudited(role), after: toAudited(edited) })
  return edited
}

async function requireOrgPermissionsWhereInOrgs(tx: Db, role: RoleRow, permissions: readonly Permission[]) {
  if (!isOfGroup(permissions)) return
  const { inOrgs } = await countHolders(tx, role.id)
  if (inOrgs === 0) return
  throw new Problem(
    'in-use',
    `${inOrgs} ${inOrgs === 1 ? 'member' : 'members'} of organizations have the role, so it can have org permissions only`,
    { source: { pointer: '/data/attributes/permissions' } },
  )
}

export async function removeRole(change: GroupChange, id: string): Promise<void> {
  const role = await getCustomRole(change, id)
  const { all } = await countHolders(change.tx, id)
  if (all > 0) throw new Problem('in-use', `${all} ${all === 1 ? 'membership has' : 'memberships have'} the role`)
  await deleteRole(change.tx, { ...change, id })
  await recordAudit(change, role, { action: 'role.delete', before: toAudited(role) })
}

async function getCustomRole({ tx, groupId }: GroupChange, id: string): Promise<RoleRow> {
  const role = await getRole(tx, groupId, id)
  if (role.group_id === null) throw new Problem('conflict', `The built-in role "${role.name}" cannot be changed`)
  return role
}

function toAudited(role: RoleRow): object {
  return { name: role.name, description: role.description, permissions: permissionsOf(role) }
}
