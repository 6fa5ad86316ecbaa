import type { Permission } from '#foundation/access/permissions.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem, type ProblemSource } from '#foundation/problem.ts'
import { findRole, permissionsOf, type RoleRow } from './store.ts'

/** The place of a membership: an organization of a group, or the whole group if `orgId` is null. */
export interface Place {
  readonly groupId: string
  readonly orgId: string | null
}

/** The role for a membership of the place. In an organization, a role that holds permissions of the group has no place. */
export async function getAssignableRole(
  db: Db,
  place: Place,
  { id, source }: { id: string; source: ProblemSource },
): Promise<RoleRow> {
  const role = await findRole(db, place.groupId, id)
  if (!role) throw new Problem('invalid-request', `The group has no role ${id}`, { source })
  if (place.orgId === null || !isOfGroup(permissionsOf(role))) return role
  throw new Problem(
    'invalid-request',
    `The role "${role.name}" holds permissions of the whole group; members of an organization need a role with org permissions only`,
    { source },
  )
}

export function isOfGroup(permissions: readonly Permission[]): boolean {
  return permissions.some((permission) => permission.startsWith('group.'))
}

/**
 * Refuses to grant permissions that the caller lacks: by a role, by a secret of a holder, or by a place that their
 * codes or events are sent to.
 */
export function requireHeld(held: ReadonlySet<Permission>, given: readonly Permission[]): void {
  const named = nameMissing(held, given)
  if (named === undefined) return
  throw new Problem('forbidden', `This would grant permissions that the calling credential lacks: ${named}`)
}

/** Refuses to end or change access with permissions that the caller lacks. */
export function requireNotGreater(held: ReadonlySet<Permission>, theirs: readonly Permission[]): void {
  const named = nameMissing(held, theirs)
  if (named === undefined) return
  throw new Problem(
    'forbidden',
    `This would revoke or change access with permissions that the calling credential lacks: ${named}. Ask an administrator who has them.`,
  )
}

function nameMissing(held: ReadonlySet<Permission>, wanted: readonly Permission[]): string | undefined {
  const missing = [...new Set(wanted)].filter((permission) => !held.has(permission))
  return missing.length === 0 ? undefined : missing.join(', ')
}
