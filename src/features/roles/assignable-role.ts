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
  const named = nameMissing(held, given)
  if (named === undefined) return
  throw new Problem('forbidden', `This would give permissions that the calling credential does not hold: ${named}`)
}

/** Refuses to end or change the access of somebody who holds `theirs`, unless the caller holds all of it too. */
export function requireNotGreater(held: ReadonlySet<Permission>, theirs: readonly Permission[]): void {
  const named = nameMissing(held, theirs)
  if (named === undefined) return
  throw new Problem(
    'forbidden',
    `This would end or change access that has permissions which the calling credential does not hold: ${named}. Ask somebody who holds them`,
  )
}

function nameMissing(held: ReadonlySet<Permission>, wanted: readonly Permission[]): string | undefined {
  const missing = [...new Set(wanted)].filter((permission) => !held.has(permission))
  if (missing.length === 0) return undefined
  return missing.length > 3 ? `${missing.slice(0, 3).join(', ')} and ${missing.length - 3} more` : missing.join(', ')
}
