import { randomUUID } from 'node:crypto'
import {
  countOtherGroupAdmins,
  deleteMembership,
  insertMembership,
  listEveryMembership,
  lockGroup,
  updateMembershipRole,
} from '#features/members/store.ts'
import type { UserRow } from '#features/user-sessions/users-store.ts'
import { groupAdmin } from '#foundation/access/built-in-roles.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { ProviderSignIn } from './provider-sign-in.ts'
import { listMappings, type RoleMapping } from './providers-store.ts'

type Membership = Awaited<ReturnType<typeof listEveryMembership>>[number]

/**
 * Returns the role of each place: that of the first matching mapping. Keys are ids of organizations, or empty for the
 * group. If the values are unknown, places that depend on them have no role.
 */
function chooseRoles(mappings: readonly RoleMapping[], values: ReadonlySet<string> | undefined): Map<string, string> {
  const roles = new Map<string, string>()
  const undecided = new Set<string>()
  for (const { claim_value, org_id, role_id } of mappings) {
    const place = org_id ?? ''
    if (roles.has(place) || undecided.has(place)) continue
    if (claim_value === null || values?.has(claim_value)) roles.set(place, role_id)
    else if (values === undefined) undecided.add(place)
  }
  return roles
}

/**
 * Updates the roles that a provider granted. Roles that administrators assigned stay, and take precedence over the
 * provider's in their place. The last Group Admin keeps the role. If the provider left the values out, existing roles
 * stay.
 */
export async function applyRoles(signIn: ProviderSignIn, user: UserRow): Promise<void> {
  const { tx, provider, proved, at } = signIn
  const roles = chooseRoles(await listMappings(tx, provider.id), proved.roleValues)
  const memberships = (await listEveryMembership(tx, user.id)).filter(({ group_id }) => group_id === provider.group_id)
  for (const membership of memberships) {
    const place = membership.org_id ?? ''
    const roleId = roles.get(place)
    roles.delete(place)
    if (membership.provider_id !== provider.id || roleId === membership.role_id) continue
    if (proved.roleValues === undefined) continue
    if (await isLastAdmin(signIn, membership, user.id)) continue
    if (roleId === undefined) await deleteMembership(tx, membership.id)
    else await updateMembershipRole(tx, membership.id, roleId, provider.id)
    await audit(signIn, membership, { action: roleId === undefined ? 'delete' : 'update', user, roleId })
  }
  for (const [place, roleId] of roles) {
    const membership = { id: randomUUID(), org_id: place === '' ? null : place, role_id: null }
    const added = { id: membership.id, userId: user.id, roleId, at, providerId: provider.id }
    await insertMembership(tx, { groupId: provider.group_id, orgId: membership.org_id }, added)
    await audit(signIn, membership, { action: 'create', user, roleId })
  }
}

async function isLastAdmin(
  { tx }: ProviderSignIn,
  { org_id, role_id, group_id }: Membership,
  userId: string,
): Promise<boolean> {
  if (org_id !== null || role_id !== groupAdmin.id) return false
  await lockGroup(tx, group_id)
  return (await countOtherGroupAdmins(tx, group_id, userId)) === 0
}

interface RoleChange {
  readonly action: 'create' | 'update' | 'delete'
  readonly user: UserRow
  readonly roleId: string | undefined
}

async function audit(
  signIn: ProviderSignIn,
  membership: { readonly id: string; readonly org_id: string | null; readonly role_id: string | null },
  { action, user, roleId }: RoleChange,
): Promise<void> {
  const toState = (role_id: string) => ({ user_id: user.id, email: user.email, role_id })
  await recordAudit(
    signIn,
    { id: membership.id, group_id: signIn.provider.group_id, org_id: membership.org_id },
    {
      action: `membership.${action}`,
      ...(membership.role_id !== null && { before: toState(membership.role_id) }),
      ...(roleId !== undefined && { after: toState(roleId) }),
    },
  )
}
