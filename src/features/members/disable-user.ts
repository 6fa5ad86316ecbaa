import { endAccessOfApps } from '#features/app-installs/remove-install.ts'
import { deleteCredentials } from '#features/credentials/store.ts'
import { endSignIns } from '#features/passwords/end-sign-ins.ts'
import { lockUser, type UserRow } from '#features/user-sessions/users-store.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import type { GroupChange } from '#foundation/http/change.ts'
import { Problem } from '#foundation/problem.ts'
import { requireMayEndAccess } from './access-of-others.ts'
import { requireAnotherBreakGlass } from './break-glass.ts'
import { requireAnotherGroupAdmin } from './change-membership.ts'
import { listEveryMembership, lockGroup } from './store.ts'
import { getUser, saveDisabled, saveEnabled } from './users-store.ts'

/**
 * Disables a user of the group and revokes sessions, API keys and authorizations of apps. Memberships stay, in case the
 * user is enabled again.
 */
export async function disableUser(change: GroupChange, id: string): Promise<void> {
  const { tx, groupId, actor } = change
  await getUser(tx, groupId, id)
  if (actor.id === id) throw new Problem('conflict', 'You cannot disable your own account.')
  await requireMayEndAccess(tx, { ...change, id: actor.id }, id)
  const groups = (await listEveryMembership(tx, id)).map((membership) => membership.group_id)
  for (const group of [...new Set([groupId, ...groups])].sort()) await lockGroup(tx, group)
  const user = await lockUser(tx, id)
  for (const membership of await listEveryMembership(tx, id)) {
    await requireAnotherGroupAdmin(tx, { ...membership, user_id: id })
  }
  if (!user) return
  await requireAnotherBreakGlass(tx, user)
  await disable(change, user)
}

/** Disables a user and revokes sessions, API keys and authorizations of apps. The user must be locked. */
export async function disable(change: Change, user: UserRow): Promise<void> {
  const { tx, at } = change
  await saveDisabled(tx, user.id, { at: user.disabled_at ?? at, by: 'administrator' })
  await endSignIns(tx, user.id)
  await endKeysAndGrants(change, user.id)
  await recordAudit(change, user, { action: 'user.disable', after: { reason: 'administrator' } })
}

/** Revokes the API keys of a user and the authorizations of apps. The user must be locked. */
export async function endKeysAndGrants(change: Change, userId: string): Promise<number> {
  await endAccessOfApps(change, userId)
  return (await deleteCredentials(change.tx, userId)).length
}

/**
 * Disables a user whom the identity provider refuses. Sessions end. API keys and authorizations of apps are refused
 * until the user signs in there again.
 */
export async function suspend(change: Change, user: UserRow): Promise<void> {
  await saveDisabled(change.tx, user.id, { at: change.at, by: 'provider' })
  await endSignIns(change.tx, user.id)
  await recordAudit(change, user, { action: 'user.disable', after: { reason: 'identity provider' } })
}

export async function enableUser(change: GroupChange, id: string): Promise<void> {
  const { tx, groupId, actor } = change
  await getUser(tx, groupId, id)
  await requireMayEndAccess(tx, { ...change, id: actor.id }, id)
  const user = await lockUser(tx, id)
  if (user) await enable(change, user)
}

export async function enable(change: Change, user: UserRow): Promise<void> {
  if (user.disabled_at === null) return
  await saveEnabled(change.tx, user.id)
  await recordAudit(change, user, { action: 'user.enable' })
}
