import type { Permission } from '#foundation/access/permissions.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem, type ProblemSource } from '#foundation/problem.ts'
import { findRole, permissionsOf, type RoleRow } from './store.ts'

/** Where a membership holds: an organisation of a group, or the whole group when `orgId` is null. */
export interface Place {
  readonly groupId: string
  readonly orgId: string | null
}

/** The role for a membership of the place. In an organisation, a role that holds permissions of the group has no place. */
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
    `The role "${role.name}" holds permissions of the whole group; a member of an organisation takes a role of org permissions only`,
    { source },
  )
}

export function isOfGroup(permissions: readonly Permission[]): boolean {
  return permissions.some((permission) => permission.startsWith('group.'))
}

/** Nobody gives what they do not hold themselves: neither by a role, nor by a secret of whoever has that role. */
export function requireHeld(held: ReadonlySet<Permission>, given: readonly Permission[]): void {
  const more = given.filter((permission) => !held.has(permission))
  if (more.length === 0) return
  const named = more.length > 3 ? `${more.slice(0, 3).join(', ')} and ${more.length - 3} more` : more.join(', ')
  throw new Problem('forbidden', `This would give permissions that the calling credential does not hold: ${named}`)
}
