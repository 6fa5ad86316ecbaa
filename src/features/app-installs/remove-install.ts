import { programOfInstall } from '#features/apps/change.ts'
import { type AppRow, listAppIdsOfUser, lockApp, lockEndedApp } from '#features/apps/store.ts'
import { announceDeleted } from '#features/credentials/announce.ts'
import { deleteCredentials } from '#features/credentials/store.ts'
import { permissionsOfScopes } from '#foundation/access/scopes.ts'
import { notFound } from '#foundation/problem.ts'
import { audit, auditEndedSession, type Change, toAudited } from './change.ts'
import { deleteSession, deleteSessions, listSessionsOfAppAndUser } from './sessions-store.ts'
import { countInstallsOfAppAndUser, deleteInstall, type InstallRow, listInstallsOfAppAndUser } from './store.ts'

/**
 * Ends what an app may do in a place: the install's secrets and tokens, and with the last place that a user let it into
 * also the user's sessions of it. The install must be held.
 */
export async function removeInstall(change: Change, install: InstallRow): Promise<void> {
  const { tx } = change
  const { id, app_id, user_id, app_name } = install
  await deleteInstall(tx, id)
  const ended = await deleteCredentials(tx, id)
  await audit(change, install, { action: 'delete', before: toAudited(install) })
  await announceDeleted(change, programOfInstall(install, app_name), ended)
  if (user_id === null || (await countInstallsOfAppAndUser(tx, app_id, user_id)) > 0) return
  await endSessions(change, { id: app_id, name: app_name }, user_id)
}

/** Ends all that an app may do for a user: every place it was let into and every session. The app must be held. */
export async function endAccessOfApp(change: Change, app: Pick<AppRow, 'id' | 'name'>, userId: string): Promise<void> {
  for (const install of await listInstallsOfAppAndUser(change.tx, app.id, userId)) {
    await deleteInstall(change.tx, install.id)
    await audit(change, install, { action: 'delete', before: toAudited(install) })
  }
  await endSessions(change, app, userId)
}

/** The same for all apps, of a user that goes. The account must be held. */
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
 * Ends the sessions that may do more than these scopes: places are shared by all sessions of an app and a user, and what a
 * user was not asked about for a place must not hold there. The app must be held.
 */
export async function endWiderSessions(
  change: Change,
  app: Pick<AppRow, 'id' | 'name'>,
  { userId, scopes }: { userId: string; scopes: readonly string[] },
): Promise<void> {
  for (const session of await listSessionsOfAppAndUser(change.tx, { appId: app.id, userId })) {
    const held = permissionsOfScopes(JSON.parse(session.scopes) as string[])
    if (held.every((permission) => scopes.includes(permission))) continue
    await endSession(change, app, { id: session.id, userId })
  }
}

/** Ends one session: its codes, refresh tokens and access tokens. The app stays where it was let in. */
export async function endSession(
  change: Change,
  app: Pick<AppRow, 'id' | 'name'>,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  const session = await deleteSession(change.tx, { id, appId: app.id, userId })
  if (!session) throw notFound(`Session ${id}`)
  await auditEndedSession(change, session, app)
}
