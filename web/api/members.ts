import type { Place } from '../navigation/paths.ts'
import { type Answer, call } from './client.ts'
import { Refusal } from './refusal.ts'

type OfOrg = Answer<'listOrgMemberships'>
type OfGroup = Answer<'listGroupMemberships'>

export type Member = OfOrg['data'][number] | OfGroup['data'][number]

export type User = Answer<'listUsers'>['data'][number]

interface Cursors {
  readonly limit: number
  readonly starting_after?: string | undefined
  readonly ending_before?: string | undefined
}

export function listMembers(
  { kind, id }: Place,
  query: Cursors,
): Promise<{ readonly data: readonly Member[]; readonly links: OfOrg['links'] }> {
  if (kind === 'orgs') return call('listOrgMemberships', { params: { org_id: id }, query })
  return call('listGroupMemberships', { params: { group_id: id }, query })
}

export async function addMember(place: Place, of: { userId: string; roleId: string }, idempotencyKey: string) {
  const relationships = {
    user: { data: { id: of.userId, type: 'user' } },
    role: { data: { id: of.roleId, type: 'role' } },
  } as const
  if (place.kind === 'orgs') {
    const body = { data: { type: 'org_membership', relationships } } as const
    await call('createOrgMembership', { params: { org_id: place.id }, body, idempotencyKey })
  } else {
    const body = { data: { type: 'group_membership', relationships } } as const
    await call('createGroupMembership', { params: { group_id: place.id }, body, idempotencyKey })
  }
}

export async function changeRole(place: Place, membershipId: string, roleId: string): Promise<void> {
  const relationships = { role: { data: { id: roleId, type: 'role' } } } as const
  if (place.kind === 'orgs') {
    const body = { data: { id: membershipId, type: 'org_membership', relationships } } as const
    await call('updateOrgMembership', { params: { org_id: place.id, membership_id: membershipId }, body })
  } else {
    const body = { data: { id: membershipId, type: 'group_membership', relationships } } as const
    await call('updateGroupMembership', { params: { group_id: place.id, membership_id: membershipId }, body })
  }
}

export async function removeMember(place: Place, membershipId: string): Promise<void> {
  if (place.kind === 'orgs') {
    await call('deleteOrgMembership', { params: { org_id: place.id, membership_id: membershipId } })
  } else {
    await call('deleteGroupMembership', { params: { group_id: place.id, membership_id: membershipId } })
  }
}

export async function listUsers(groupId: string, query: Cursors & { readonly name?: string; readonly email?: string }) {
  return call('listUsers', { params: { group_id: groupId }, query })
}

export async function readUser(groupId: string, id: string): Promise<User> {
  return (await call('getUserOfGroup', { params: { group_id: groupId, user_id: id } })).data
}

export async function deleteUser(groupId: string, id: string): Promise<void> {
  await call('deleteUserOfGroup', { params: { group_id: groupId, user_id: id } })
}

export type Identity = Answer<'listUserIdentities'>['data'][number]

/** Lists the identities of a user; a group has at most 20 identity providers. */
export async function listUserIdentities(of: { groupId: string; userId: string }): Promise<readonly Identity[]> {
  const params = { group_id: of.groupId, user_id: of.userId }
  return (await call('listUserIdentities', { params, query: { limit: 100 } })).data
}

export async function deleteUserIdentity(of: { groupId: string; userId: string }, id: string): Promise<void> {
  await call('deleteUserIdentity', { params: { group_id: of.groupId, user_id: of.userId, identity_id: id } })
}

/** Finds the user with an e-mail address among those that the group manages. Throws `Refusal`. */
export async function findUser(groupId: string, email: string): Promise<User> {
  const { data } = await call('listUsers', { params: { group_id: groupId }, query: { email, limit: 100 } })
  const found = data.find(({ attributes }) => attributes.email.toLowerCase() === email.toLowerCase())
  if (found) return found
  const detail = 'The group manages no user with this address. Invite the person in the group first.'
  throw new Refusal(0, 'user-not-found', [{ detail, at: 'email' }])
}

/** Creates a user without a password. A one-time link lets the user set one. */
export async function createUser(
  groupId: string,
  attributes: { readonly name: string; readonly email: string },
  idempotencyKey: string,
): Promise<User> {
  const body = { data: { type: 'user', attributes } } as const
  return (await call('createUser', { params: { group_id: groupId }, body, idempotencyKey })).data
}
