import type { Permission } from '#foundation/access/permissions.ts'
import type { Db } from '#foundation/db/database.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import { Problem, type ProblemSource } from '#foundation/problem.ts'
import { findRole, permissionsOf, type RoleRow } from './store.ts'

/**
 * Returns a role for a membership in the place. Refuses roles with permissions of the group for members of an
 * organization.
 */
export async function getAssignableRole(
  db: Db,
  place: OrgOrGroup,
  { id, source }: { id: string; source: ProblemSource },
): Promise<RoleRow> {
  const role = await findRole(db, place.groupId, id)
  if (!role) throw new Problem('invalid-request', `The group has no role ${id}`, { source })
  if (place.orgId === null || !isOfGroup(permissionsOf(role))) return role
  throw new Problem(
    'invalid-request',
    `The role "${role.name}" has permissions of the group; choose a role with org permissions only for members of an organization`,
    { source },
  )
}

export function isOfGroup(permissions: readonly Permission[]): boolean {
  return permissions.some((permission) => permission.startsWith('group.'))
}

/**
 * Refuses to grant permissions that the caller lacks: with a role, with a secret, or with an address that receives
 * codes or events.
 */
export function requireHeld(permissions: ReadonlySet<Permission>, required: readonly Permission[]): void {
  const missing = nameMissing(permissions, required)
  if (missing === undefined) return
  throw new Problem('forbidden', `This would grant permissions that the calling credential lacks: ${missing}`)
}

/** Refuses to revoke or change access with permissions that the caller lacks. */
export function requireNotGreater(permissions: ReadonlySet<Permission>, theirs: readonly Permission[]): void {
  const missing = nameMissing(permissions, theirs)
  if (missing === undefined) return
  throw new Problem(
    'forbidden',
    `This would revoke or change access with permissions that the calling credential lacks: ${missing}. Ask an administrator who has them.`,
  )
}

function nameMissing(permissions: ReadonlySet<Permission>, required: readonly Permission[]): string | undefined {
  const missing = [...new Set(required)].filter((permission) => !permissions.has(permission))
  return missing.length === 0 ? undefined : missing.join(', ')
}
