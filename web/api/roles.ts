import type { Operations } from '../../src/client/api/operations.generated.ts'
import { type Answer, call } from './client.ts'

export type Role = Answer<'getRole'>['data']
export type RoleInput = Required<Operations['createRole']['body']['data']['attributes']>

export function listRoles(groupId: string, query: Operations['listRoles']['query']) {
  return call('listRoles', { params: { group_id: groupId }, query })
}

export async function readRole(groupId: string, id: string): Promise<Role> {
  return (await call('getRole', { params: { group_id: groupId, role_id: id } })).data
}

export async function createRole(groupId: string, attributes: RoleInput, idempotencyKey: string): Promise<Role> {
  const body = { data: { type: 'role', attributes } } as const
  return (await call('createRole', { params: { group_id: groupId }, body, idempotencyKey })).data
}

export async function editRole(groupId: string, id: string, attributes: RoleInput): Promise<void> {
  const body = { data: { id, type: 'role', attributes } } as const
  await call('updateRole', { params: { group_id: groupId, role_id: id }, body })
}

export async function deleteRole(groupId: string, id: string): Promise<void> {
  await call('deleteRole', { params: { group_id: groupId, role_id: id } })
}
