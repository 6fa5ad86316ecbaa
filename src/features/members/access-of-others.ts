import { requireNotGreater } from '#features/roles/assignable-role.ts'
import { permissionsOf } from '#features/roles/store.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import type { Db } from '#foundation/db/database.ts'
import { listEveryMembership } from './store.ts'

interface Caller {
  readonly id: string | undefined
  readonly groupId: string
  readonly permissions: ReadonlySet<Permission>
}

/**
 * Refuses to change or revoke credentials of a user with more permissions in the group than the caller. Users may
 * always revoke their own.
 */
export async function requireMayEndAccess(tx: Db, { id, groupId, permissions }: Caller, userId: string): Promise<void> {
  if (id === userId) return
  const memberships = await listEveryMembership(tx, userId)
  requireNotGreater(permissions, memberships.filter(({ group_id }) => group_id === groupId).flatMap(permissionsOf))
}
