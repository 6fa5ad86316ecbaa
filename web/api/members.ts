import type { ConsoleScope } from '../navigation/paths.ts'
import { call, callData } from './client.ts'
import { idIn, paramsOf } from './place-params.ts'
import type { User } from './resources.ts'

export async function addMember(place: ConsoleScope, of: { userId: string; roleId: string }, idempotencyKey: string) {
  const relationships = {
    user: { data: { id: of.userId, type: 'user' } },
    role: { data: { id: of.roleId, type: 'role' } },
  } as const
  const body =
    place.kind === 'orgs'
      ? ({ data: { type: 'org_membership', relationships } } as const)
      : ({ data: { type: 'group_membership', relationships } } as const)
  await call(idIn(place, 'createOrgMembership', 'createGroupMembership'), {
    params: paramsOf(place),
    body,
    idempotencyKey,
  })
}

export async function changeRole(place: ConsoleScope, id: string, roleId: string): Promise<void> {
  const relationships = { role: { data: { id: roleId, type: 'role' } } } as const
  const body =
    place.kind === 'orgs'
      ? ({ data: { id, type: 'org_membership', relationships } } as const)
      : ({ data: { id, type: 'group_membership', relationships } } as const)
  await call(idIn(place, 'updateOrgMembership', 'updateGroupMembership'), {
    params: { ...paramsOf(place), membership_id: id },
    body,
  })
}

/** Finds the user with an e-mail address among those that the group manages. */
export async function findUser(groupId: string, email: string): Promise<User | undefined> {
  const users = await callData('listUsers', { params: { group_id: groupId }, query: { email, limit: 100 } })
  return users.find(({ attributes }) => attributes.email.toLowerCase() === email.toLowerCase())
}
