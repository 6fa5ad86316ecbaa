import { removeApp, removePart } from '#features/apps/remove-app.ts'
import { listAppIdsAround, lockApp, lockEndedApp } from '#features/apps/store.ts'
import { deleteCredentialsOfInstallsIn } from '#features/credentials/installs-store.ts'
import type { Change } from '#foundation/audit/record.ts'
import { deleteSessionsOnlyOfOrg } from './sessions-store.ts'

/**
 * Deletes the apps of an organization that is being deleted, wherever they are installed, and the access of other apps
 * to it. The organization must be locked for deletion; its installs are deleted by reference.
 */
export async function endAppsAround(change: Change, orgId: string): Promise<void> {
  const { tx } = change
  for (const id of await listAppIdsAround(tx, orgId)) {
    const app = await lockApp(tx, id)
    if (app?.org_id === orgId) await removeApp(change, app)
    // Complete an earlier removal now: the app's row disappears with the organization, and its remains would stay.
    const ended = await lockEndedApp(tx, id)
    if (ended?.org_id === orgId) while (!(await removePart(change, ended)));
  }
  await deleteCredentialsOfInstallsIn(tx, orgId)
  await deleteSessionsOnlyOfOrg(tx, orgId)
}
