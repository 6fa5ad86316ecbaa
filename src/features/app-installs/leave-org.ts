import type { Change } from '#features/apps/change.ts'
import { removeApp, removePart } from '#features/apps/remove-app.ts'
import { listAppIdsAround, lockApp, lockEndedApp } from '#features/apps/store.ts'
import { deleteCredentialsOfInstallsIn } from '#features/credentials/installs-store.ts'
import { deleteSessionsOnlyOfOrg } from './sessions-store.ts'

/**
 * Ends the apps of an organization that goes, wherever they are installed, and what other apps may do in it. The
 * organization must be closed; its installs go with it by reference.
 */
export async function endAppsAround(change: Change, orgId: string): Promise<void> {
  const { tx } = change
  for (const id of await listAppIdsAround(tx, orgId)) {
    const app = await lockApp(tx, id)
    if (app?.org_id === orgId) await removeApp(change, app)
    // Its row would go with the organization, and what is left of it would stay.
    const ended = await lockEndedApp(tx, id)
    if (ended?.org_id === orgId) while (!(await removePart(change, ended)));
  }
  await deleteCredentialsOfInstallsIn(tx, orgId)
  await deleteSessionsOnlyOfOrg(tx, orgId)
}
