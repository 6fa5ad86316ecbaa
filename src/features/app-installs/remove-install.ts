import { programOfInstall } from '#features/apps/change.ts'
import { type AppRow, listAppIdsOfUser, lockApp, lockEndedApp } from '#features/apps/store.ts'
import { announceDeleted } from '#features/credentials/announce.ts'
import { deleteCredentials } from '#features/credentials/store.ts'
import { permissionsOfScopes } from '#foundation/access/scopes.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import { notFound } from '#foundation/problem.ts'
import { auditEndedSession, toAudited } from './change.ts'
import { deleteSession, deleteSessions, listSessionsOfAppAndUser } from './sessions-store.ts'
import { countInstallsOfAppAndUser, deleteInstall, type InstallRow, listInstallsOfAppAndUser } from './store.ts'

/**
 * Revokes an app's access to a place: the install's secrets and tokens, and with the last place that the user
 * authorized also the user's sessions of the app. The install must be locked.
 */
export async function removeInstall(change: Change, install: InstallRow): Promise<void> {
  const { tx } = change
  const { id, app_id, user_id, app_name } = install
  await deleteInstall(tx, id)
  const ended = await deleteCredentials(tx, id)
  await recordAudit(change, install, { action: 'app_install.delete', before: toAudited(install) })
  await announceDeleted(change, programOfInstall(install, app_name), ended)
  if (user_id === null || (await countInstallsOfAppAndUser(tx, app_id, user_id)) > 0) return
  await endSessions(change, { id: app_id, name: app_name }, user_id)
}

/** Revokes everything that a user authorized for an app: its installs and sessions. The app must be locked. */
export async function endAccessOfApp(change: Change, app: Pick<AppRow, 'id' | 'name'>, userId: string): Promise<void> {
  for (const install of await listInstallsOfAppAndUser(change.tx, app.id, userId)) {
    await deleteInstall(change.tx, install.id)
    await recordAudit(change, install, { action: 'app_install.delete', before: toAudited(install) })
  }
  await endSessions(change, app, userId)
}

/** Revokes the access of all apps of a user who is being deleted. The user must be locked. */
export async function endAccessOfApps(change: Change, userId: string): Promise<void> {
  for (const id of await listAppIdsOfUser(change.tx, userId)) {
    const app = (await lockApp(change.tx, id)) ?? (await lockEndedApp(change.tx, id))
    if (app) await endAccessOfApp(change, app, userId)
  }
}

async function endSessions(change: Change, app: Pick<AppRow, 'id' | 'name'>, userId: string): Promise<void> {
  for (const session of await deleteSessions(change.tx, { appId: app.id, userId })) {
    await auditEndedSession(change, session, app)
  }
}

/**
 * Revokes sessions with scopes beyond these. All sessions of an app and a user share the places, so a wider session
 * would have permissions in a place that the user did not grant there. The app must be locked.
 */
export async function endWiderSessions(
  change: Change,
  app: Pick<AppRow, 'id' | 'name'>,
  { userId, scopes }: { userId: string; scopes: readonly string[] },
): Promise<void> {
  for (const session of await listSessionsOfAppAndUser(change.tx, { appId: app.id, userId })) {
    const permissions = permissionsOfScopes(JSON.parse(session.scopes) as string[])
    if (permissions.every((permission) => scopes.includes(permission))) continue
    await endSession(change, app, { id: session.id, userId })
  }
}

/** Revokes one session with its codes, refresh tokens and access tokens. The app's installs stay. */
export async function endSession(
  change: Change,
  app: Pick<AppRow, 'id' | 'name'>,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  const session = await deleteSession(change.tx, { id, appId: app.id, userId })
  if (!session) throw notFound(`Session ${id}`)
  await auditEndedSession(change, session, app)
}
