import { randomUUID } from 'node:crypto'
import type { Updateable } from 'kysely'
import { createReset, type Reset } from '#features/passwords/create-reset.ts'
import { endSignIns } from '#features/passwords/end-sign-ins.ts'
import { requireHeld } from '#features/roles/assignable-role.ts'
import { permissionsOf } from '#features/roles/store.ts'
import { resetFactors } from '#features/second-factors/change-factors.ts'
import { lockUser, type UserRow } from '#features/user-sessions/users-store.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import type { GroupChange } from '#foundation/http/change.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { requireMayEndAccess } from './access-of-others.ts'
import { requireAnotherBreakGlass } from './break-glass.ts'
import { requireAnotherGroupAdmin } from './change-membership.ts'
import { endKeysAndGrants } from './disable-user.ts'
import { deleteEveryMembership, listEveryMembership, lockGroup } from './store.ts'
import { deleteUser, getUser, insertUser, updateUser } from './users-store.ts'

interface UserInput {
  readonly email: string
  readonly name: string
  readonly username?: string | undefined
  readonly passwordHash: string | null
}

/** Creates an account, which has no permissions without a membership. */
export async function createUser(change: GroupChange, input: UserInput): Promise<UserRow> {
  const email = input.email.toLowerCase()
  const { tx, groupId, at } = change
  const user = await insertUser(tx, {
    id: randomUUID(),
    group_id: groupId,
    email,
    name: input.name,
    username: input.username ?? email,
    password_hash: input.passwordHash,
    created_at: at,
    updated_at: at,
  })
  await recordAudit(change, user, { action: 'user.create', after: toAudited(user) })
  return user
}

export async function editUser(
  change: GroupChange,
  id: string,
  changes: Updateable<Tables['users']>,
): Promise<UserRow> {
  const { tx, groupId, at } = change
  const user = await getUser(tx, groupId, id)
  if (changes.password_hash !== undefined && change.actor.id !== id) {
    // No membership may be added between the check and the change.
    await lockUser(tx, id)
    await requireNoGain(change, id)
  }
  const edited = await updateUser(tx, id, { ...changes, updated_at: at })
  if (changes.password_hash !== undefined) await endSignIns(tx, id)
  const password = changes.password_hash === undefined ? {} : { password: 'changed' }
  await recordAudit(change, user, {
    action: 'user.update',
    before: toAudited(user),
    after: { ...toAudited(edited), ...password },
  })
  return edited
}

/** Creates a one-time link with which the user sets a new password; it replaces an earlier one. */
export async function resetPassword(
  services: Pick<Services, 'keyring' | 'config' | 'baseUrl'>,
  change: GroupChange,
  id: string,
): Promise<Reset> {
  const user = await getUser(change.tx, change.groupId, id)
  await lockUser(change.tx, id)
  if (change.actor.id !== id) await requireNoGain(change, id)
  const reset = await createReset(services, change.tx, { userId: id, at: change.at })
  const after = { expires_at: new Date(reset.expiresAt).toISOString() }
  await recordAudit(change, user, { action: 'user.password_reset.create', after })
  return reset
}

/** Removes the second factors of a user who lost them, and ends the user's browser sessions. */
export async function resetFactorsOf(change: GroupChange, userId: string): Promise<void> {
  const { tx, groupId, actor, at } = change
  await getUser(tx, groupId, userId)
  if (actor.id === userId) {
    throw new Problem('conflict', 'To change your own second factors, open your account page.')
  }
  await lockUser(tx, userId)
  await requireNoGain(change, userId)
  await resetFactors({ tx, actor, at, userId })
}

/** Requires the caller to have all permissions of the account: setting a password allows signing in to it. */
async function requireNoGain({ tx, groupId, permissions }: GroupChange, id: string): Promise<void> {
  const memberships = await listEveryMembership(tx, id)
  if (memberships.some((membership) => membership.group_id !== groupId)) {
    throw new Problem(
      'forbidden',
      'The user is also a member of another group, so only the user or the operator of the server can change the sign-in.',
    )
  }
  requireHeld(permissions, memberships.flatMap(permissionsOf))
}

/**
 * Deletes an account with its memberships in all groups, API keys and authorizations of apps. Its credentials are
 * refused from the commit on.
 */
export async function removeUser(change: GroupChange, id: string): Promise<void> {
  const { tx, groupId } = change
  await getUser(tx, groupId, id)
  await requireMayEndAccess(tx, { ...change, id: change.actor.id }, id)
  const memberships = await listEveryMembership(tx, id)
  // Lock in a fixed order, so that two removals cannot deadlock.
  for (const group of [...new Set(memberships.map((membership) => membership.group_id))].sort()) {
    await lockGroup(tx, group)
  }
  // A membership is only added while the account is locked.
  const user = await lockUser(tx, id)
  for (const membership of await listEveryMembership(tx, id)) {
    await requireAnotherGroupAdmin(tx, { ...membership, user_id: id })
  }
  if (user) await requireAnotherBreakGlass(tx, user)
  await endKeysAndGrants(change, id)
  await deleteEveryMembership(tx, id)
  await deleteUser(tx, id)
  if (user) await recordAudit(change, user, { action: 'user.delete', before: toAudited(user) })
}

function toAudited({ email, name, username }: UserRow): object {
  return { email, name, username }
}
