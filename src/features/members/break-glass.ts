import { requireHeld } from '#features/roles/assignable-role.ts'
import { lockUser, type UserRow } from '#features/user-sessions/users-store.ts'
import { groupAdmin } from '#foundation/access/built-in-roles.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import type { GroupChange } from '#foundation/http/change.ts'
import { Problem } from '#foundation/problem.ts'
import { countBreakGlass, isProviderRequired, saveBreakGlass } from './break-glass-store.ts'
import { findMembershipOf, lockGroup } from './store.ts'
import { getUser } from './users-store.ts'

/**
 * Allows an administrator to sign in with a password, or ends that, while the group requires an identity provider,
 * which may fail.
 */
export async function changeBreakGlass(
  change: GroupChange,
  id: string,
  { isAllowed }: { readonly isAllowed: boolean },
): Promise<void> {
  const { tx, groupId, permissions } = change
  requireHeld(permissions, groupAdmin.permissions)
  await lockGroup(tx, groupId)
  await getUser(tx, groupId, id)
  const user = await lockUser(tx, id)
  if (!user) return
  if (isAllowed) await allowBreakGlass(change, user)
  else {
    await requireAnotherBreakGlass(tx, user)
    await save(change, user, { isAllowed })
  }
}

/** Throws 409 for a user who could not administer the group with a password. */
export async function allowBreakGlass(change: Change, user: UserRow): Promise<void> {
  const place = { groupId: user.group_id, orgId: null }
  const isAdmin = (await findMembershipOf(change.tx, place, user.id))?.role_id === groupAdmin.id
  if (!isAdmin || user.password_hash === null || user.disabled_at !== null) {
    throw new Problem(
      'conflict',
      `A break-glass administrator must have the role ${groupAdmin.name} in the group and a password, and must not be disabled.`,
    )
  }
  await save(change, user, { isAllowed: true })
}

/** Requires another break-glass administrator while the group requires a provider. The group must be locked. */
export async function requireAnotherBreakGlass(tx: Db, user: UserRow): Promise<void> {
  if (user.break_glass === null || !(await isProviderRequired(tx, user.group_id))) return
  if ((await countBreakGlass(tx, user.group_id, user.id)) > 0) return
  throw new Problem(
    'conflict',
    'This is the last break-glass administrator, and the group requires single sign-on. Choose another one first.',
  )
}

async function save(change: Change, user: UserRow, { isAllowed }: { isAllowed: boolean }): Promise<void> {
  await saveBreakGlass(change.tx, user.id, isAllowed)
  await recordAudit(change, user, {
    action: 'user.break_glass',
    before: { break_glass: user.break_glass === 1 },
    after: { break_glass: isAllowed },
  })
}
