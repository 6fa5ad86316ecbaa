import type { Operations } from '../../src/client/api/operations.generated.ts'
import type { Place } from '../navigation/paths.ts'
import { type Answer, call } from './client.ts'

export type Install = Answer<'getOrgAppInstall'>['data']
export type CreatedInstall = Answer<'createOrgAppInstall'>['data']

type Page = Answer<'listOrgAppInstalls'>

export function listInstalls({ kind, id }: Place, query: Operations['listApps']['query']): Promise<Page> {
  if (kind === 'orgs') return call('listOrgAppInstalls', { params: { org_id: id }, query })
  return call('listGroupAppInstalls', { params: { group_id: id }, query })
}

export async function createInstall(
  { kind, id }: Place,
  appId: string,
  idempotencyKey: string,
): Promise<CreatedInstall> {
  const app = { data: { id: appId, type: 'app' } } as const
  const body = { data: { type: 'app_install', relationships: { app } } } as const
  if (kind === 'orgs') {
    return (await call('createOrgAppInstall', { params: { org_id: id }, body, idempotencyKey })).data
  }
  return (await call('createGroupAppInstall', { params: { group_id: id }, body, idempotencyKey })).data
}

export async function readInstall({ kind, id }: Place, installId: string): Promise<Install> {
  if (kind === 'orgs') {
    return (await call('getOrgAppInstall', { params: { org_id: id, install_id: installId } })).data
  }
  return (await call('getGroupAppInstall', { params: { group_id: id, install_id: installId } })).data
}

export async function deleteInstall({ kind, id }: Place, installId: string): Promise<void> {
  if (kind === 'orgs') await call('deleteOrgAppInstall', { params: { org_id: id, install_id: installId } })
  else await call('deleteGroupAppInstall', { params: { group_id: id, install_id: installId } })
}
