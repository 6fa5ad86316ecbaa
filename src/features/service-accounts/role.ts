import { isPermission, type Permission } from '#foundation/access/permissions.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import { findRole, type Owner, type RoleRow } from './store.ts'

const source = { pointer: '/data/attributes/role_id' }

/** The role for a new account of the owner. An organisation's account takes no role that holds permissions of groups. */
export async function getRoleFor(db: Db, owner: Owner, roleId: string): Promise<RoleRow> {
  const role = await findRole(db, owner.groupId, roleId)
  if (!role) throw new Problem('invalid-request', `The group has no role ${roleId}`, { source })
  if (owner.orgId === null || !permissionsOf(role).some((permission) => permission.startsWith('group.'))) return role
  throw new Problem(
    'invalid-request',
    `The role "${role.name}" holds permissions of the whole group; an organisation's account takes a role of org permissions only`,
    { source },
  )
}

/**
 * Refuses to hand out more than the caller holds: whoever makes an account, or a secret of one, could act with all of
 * its permissions.
 */
export function requireNoMoreThan(held: ReadonlySet<Permission>, role: RoleRow): void {
  const more = permissionsOf(role).filter((permission) => !held.has(permission))
  if (more.length === 0) return
  const named = more.length > 3 ? `${more.slice(0, 3).join(', ')} and ${more.length - 3} more` : more.join(', ')
  throw new Problem(
    'forbidden',
    `The role "${role.name}" holds permissions that the calling credential does not: ${named}`,
  )
}

function permissionsOf(role: RoleRow): Permission[] {
  return (JSON.parse(role.permissions) as string[]).filter(isPermission)
}
