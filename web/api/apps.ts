import type { Operations } from '../../src/client/api/operations.generated.ts'
import { type Answer, call } from './client.ts'

export type App = Answer<'getApp'>['data']
export type NewApp = Operations['createApp']['body']['data']['attributes']
export type Scope = NewApp['scopes'][number]
export type AppChanges = Operations['updateApp']['body']['data']['attributes']

export function listApps(orgId: string, query: Operations['listApps']['query']) {
  return call('listApps', { params: { org_id: orgId }, query })
}

export async function createApp(orgId: string, attributes: NewApp, idempotencyKey: string): Promise<App> {
  const body = { data: { type: 'app', attributes } } as const
  return (await call('createApp', { params: { org_id: orgId }, body, idempotencyKey })).data
}

export async function readApp(orgId: string, id: string): Promise<App> {
  return (await call('getApp', { params: { org_id: orgId, app_id: id } })).data
}

export async function changeApp(orgId: string, id: string, attributes: AppChanges): Promise<App> {
  const body = { data: { id, type: 'app', attributes } } as const
  return (await call('updateApp', { params: { org_id: orgId, app_id: id }, body })).data
}

export async function deleteApp(orgId: string, id: string): Promise<void> {
  await call('deleteApp', { params: { org_id: orgId, app_id: id } })
}

export type ServerMetadata = Answer<'getServerMetadata'>

/** Returns the authorization server's metadata, which names its endpoints and scopes. */
export function readServerMetadata(): Promise<ServerMetadata> {
  return call('getServerMetadata', {})
}
