import type { Operations } from '../../src/client/api/operations.generated.ts'
import { type Answer, call } from './client.ts'

export type Org = Answer<'getOrg'>['data']
export type Group = Answer<'listGroups'>['data'][number]

export function listGroups(query: Operations['listGroups']['query']) {
  return call('listGroups', { query })
}

export async function createGroup(name: string, idempotencyKey: string): Promise<Group> {
  const body = { data: { type: 'group', attributes: { name } } } as const
  return (await call('createGroup', { body, idempotencyKey })).data
}

export function listOrgsOfGroup(groupId: string, query: Operations['listOrgsInGroup']['query']) {
  return call('listOrgsInGroup', { params: { group_id: groupId }, query })
}

export interface NewOrg {
  readonly name: string
  /** An organization whose members are copied. */
  readonly membersOf?: string | undefined
}

/** Creates an organization in a group and returns its id. */
export async function createOrg(groupId: string, { name, membersOf }: NewOrg, idempotencyKey: string): Promise<string> {
  const source = membersOf === undefined ? {} : { sourceOrgId: membersOf, copyMembers: true }
  return (await call('createOrgV1', { body: { name, groupId, ...source }, idempotencyKey })).id
}

export async function readOrg(id: string): Promise<Org> {
  return (await call('getOrg', { params: { org_id: id } })).data
}

export async function renameOrg(id: string, name: string): Promise<void> {
  await call('updateOrg', { params: { org_id: id }, body: { data: { id, type: 'org', attributes: { name } } } })
}

export async function deleteOrg(id: string): Promise<void> {
  await call('deleteOrgV1', { params: { orgId: id } })
}
