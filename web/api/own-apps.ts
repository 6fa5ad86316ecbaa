import { call } from './client.ts'
import { listAll } from './places.ts'
import type { OwnApp, OwnInstall } from './resources.ts'

/** Finds an authorized app in the list, since the interface has no operation for one. */
export async function findOwnApp(id: string): Promise<OwnApp | undefined> {
  const apps = await listAll((starting_after) => call('listSelfApps', { query: { limit: 100, starting_after } }))
  return apps.find((app) => app.id === id)
}

export async function listOwnInstalls(appId: string): Promise<readonly OwnInstall[]> {
  const installs = await listAll((starting_after) =>
    call('listSelfAppInstalls', { query: { limit: 100, starting_after } }),
  )
  return installs.filter(({ relationships }) => relationships.app.data.id === appId)
}
