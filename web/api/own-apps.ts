import type { Operations } from '../../src/client/api/operations.generated.ts'
import { type Answer, call } from './client.ts'
import { readAll } from './places.ts'

export type OwnApp = Answer<'listSelfApps'>['data'][number]
export type OwnInstall = Answer<'listSelfAppInstalls'>['data'][number]
export type OwnSession = Answer<'listSelfAppSessions'>['data'][number]

export function listOwnApps(query: Operations['listSelfApps']['query']) {
  return call('listSelfApps', { query })
}

/** Finds an authorized app in the list, since the interface has no operation for one. */
export async function findOwnApp(id: string): Promise<OwnApp | undefined> {
  const { all } = await readAll((starting_after) => call('listSelfApps', { query: { limit: 100, starting_after } }))
  return all.find((app) => app.id === id)
}

export async function listOwnInstalls(appId: string): Promise<readonly OwnInstall[]> {
  const { all } = await readAll((starting_after) =>
    call('listSelfAppInstalls', { query: { limit: 100, starting_after } }),
  )
  return all.filter(({ relationships }) => relationships.app.data.id === appId)
}

export function listSessions(appId: string, query: Operations['listSelfAppSessions']['query']) {
  return call('listSelfAppSessions', { params: { app_id: appId }, query })
}

export async function endSession(appId: string, sessionId: string): Promise<void> {
  await call('deleteSelfAppSession', { params: { app_id: appId, session_id: sessionId } })
}

export async function endInstall(installId: string): Promise<void> {
  await call('deleteSelfAppInstall', { params: { install_id: installId } })
}

export async function endOwnApp(appId: string): Promise<void> {
  await call('deleteSelfApp', { params: { app_id: appId } })
}
