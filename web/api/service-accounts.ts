import type { Operations } from '../../src/client/api/operations.generated.ts'
import type { Place } from '../navigation/paths.ts'
import { type Answer, call } from './client.ts'

export type ServiceAccount = Answer<'getOrgServiceAccount'>['data']
export type NewAttributes = NonNullable<Operations['createOrgServiceAccount']['body']>['data']['attributes']
export type AuthType = NewAttributes['auth_type']

type Page = Answer<'listOrgServiceAccounts'>
type One = Answer<'getOrgServiceAccount'>

const type = 'service_account'

export function listAccounts(place: Place, query: Operations['listOrgServiceAccounts']['query']): Promise<Page> {
  if (place.kind === 'orgs') return call('listOrgServiceAccounts', { params: { org_id: place.id }, query })
  return call('listGroupServiceAccounts', { params: { group_id: place.id }, query })
}

export function createAccount(place: Place, attributes: NewAttributes, idempotencyKey: string): Promise<One> {
  const body = { data: { type, attributes } } as const
  if (place.kind === 'orgs') {
    return call('createOrgServiceAccount', { params: { org_id: place.id }, body, idempotencyKey })
  }
  return call('createGroupServiceAccount', { params: { group_id: place.id }, body, idempotencyKey })
}

export function readAccount(place: Place, id: string): Promise<One> {
  if (place.kind === 'orgs') return call('getOrgServiceAccount', { params: orgParams(place, id) })
  return call('getGroupServiceAccount', { params: groupParams(place, id) })
}

export function renameAccount(place: Place, id: string, name: string): Promise<One> {
  const body = { data: { id, type, attributes: { name } } } as const
  if (place.kind === 'orgs') return call('updateOrgServiceAccount', { params: orgParams(place, id), body })
  return call('updateGroupServiceAccount', { params: groupParams(place, id), body })
}

export async function deleteAccount(place: Place, id: string): Promise<void> {
  if (place.kind === 'orgs') await call('deleteOrgServiceAccount', { params: orgParams(place, id) })
  else await call('deleteGroupServiceAccount', { params: groupParams(place, id) })
}

function orgParams(place: Place, id: string) {
  return { org_id: place.id, serviceaccount_id: id }
}

function groupParams(place: Place, id: string) {
  return { group_id: place.id, serviceaccount_id: id }
}
