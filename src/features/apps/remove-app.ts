import { announceDeleted } from '#features/credentials/announce.ts'
import { deleteCredentialsOfInstalls } from '#features/credentials/installs-store.ts'
import { deleteCredentials } from '#features/credentials/store.ts'
import {
  auditApp,
  auditInstall,
  type Change,
  programOf,
  programOfInstall,
  toAudited,
  toAuditedInstall,
} from './change.ts'
import { type AppRow, deleteApp, listInstallsOfApp } from './store.ts'

/**
 * Ends the app and everything that could act through it, wherever it is installed: from the answer on its secrets, those
 * of its installs, its sessions and its tokens are refused. The app must be held.
 */
export async function removeApp(change: Change, app: AppRow): Promise<void> {
  const { tx } = change
  const installs = await listInstallsOfApp(tx, app.id)
  const endedOfInstalls = await deleteCredentialsOfInstalls(tx, app.id)
  const ended = await deleteCredentials(tx, app.id)
  await deleteApp(tx, app.id)
  for (const install of installs) {
    await auditInstall(change, install, { action: 'delete', before: toAuditedInstall(install, app.name) })
    const ofInstall = endedOfInstalls.filter(({ owner_id }) => owner_id === install.id)
    await announceDeleted(change, programOfInstall(install, app.name), ofInstall)
  }
  await auditApp(change, app, { action: 'delete', before: { ...toAudited(app), installs: installs.length } })
  await announceDeleted(change, programOf(app), ended)
}
