import type { Operations } from '../../src/client/api/operations.generated.ts'
import { type Answer, call } from './client.ts'

export type ApiKey = Answer<'createOwnApiKey'>['data']
export type NewApiKey = NonNullable<Operations['createOwnApiKey']['body']>['data']['attributes']

export async function listOwnKeys(query: Operations['listOwnApiKeys']['query']) {
  return call('listOwnApiKeys', { query })
}

export async function createOwnKey(attributes: NewApiKey, idempotencyKey: string): Promise<ApiKey> {
  const body = { data: { type: 'api_key', attributes } } as const
  return (await call('createOwnApiKey', { body, idempotencyKey })).data
}

export async function deleteOwnKey(id: string): Promise<void> {
  await call('deleteOwnApiKey', { params: { key_id: id } })
}

export async function listUserKeys(
  of: { groupId: string; userId: string },
  query: Operations['listUserApiKeys']['query'],
) {
  return call('listUserApiKeys', { params: { group_id: of.groupId, user_id: of.userId }, query })
}

export async function deleteUserKey(of: { groupId: string; userId: string }, id: string): Promise<void> {
  await call('deleteUserApiKey', { params: { group_id: of.groupId, user_id: of.userId, key_id: id } })
}
