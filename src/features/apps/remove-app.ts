import { announceDeleted } from '#features/credentials/announce.ts'
import { deleteCredentialsOfInstalls } from '#features/credentials/installs-store.ts'
import { deleteCredentials } from '#features/credentials/store.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import { addJob } from '#foundation/jobs/store.ts'
import { programOf, programOfInstall, toAudited, toAuditedInstall } from './change.ts'
import {
  type AppRow,
  countInstalls,
  deleteApp,
  deleteInstallsOf,
  deleteSomeSessions,
  listSomeInstalls,
  markEnded,
} from './store.ts'
export const FINISH_REMOVAL = 'finish-app-removal'

/** Maximum number of installs or sessions deleted in one transaction; others write in between. */
export const PART = 100

export interface Removal {
  readonly appId: string
  readonly actor: Change['actor']
}

/**
 * Deletes an app with its installs, sessions, secrets and tokens, which are refused from the commit on. Removes a first
 * part now; a job removes the rest. Until then the app is marked as deleted, and every look-up of a credential checks
 * the mark. The app must be locked.
 */
export async function removeApp(change: Change, app: AppRow): Promise<void> {
  const { tx, actor, at } = change
  const installs = await countInstalls(tx, app.id)
  const ended = await deleteCredentials(tx, app.id)
  await markEnded(tx, app.id, at)
  const isDone = await removePart(change, app)
  await recordAudit(change, app, { action: 'app.delete', before: { ...toAudited(app), installs } })
  await announceDeleted(change, programOf(app), ended)
  if (isDone) return
  const payload: Removal = { appId: app.id, actor }
  await addJob(tx, { kind: FINISH_REMOVAL, payload, dueAt: at, uniqueKey: `${FINISH_REMOVAL} ${app.id}` }, at)
}

/** Removes a part of the remains of a deleted app; returns true once the app itself is gone. The app must be locked. */
export async function removePart(change: Change, app: AppRow): Promise<boolean> {
  const { tx } = change
  const installs = await listSomeInstalls(tx, app.id, PART)
  if (installs.length > 0) {
    const ids = installs.map(({ id }) => id)
    const secrets = Map.groupBy(await deleteCredentialsOfInstalls(tx, ids), ({ owner_id }) => owner_id)
    await deleteInstallsOf(tx, ids)
    for (const install of installs) {
      await recordAudit(change, install, { action: 'app_install.delete', before: toAuditedInstall(install, app.name) })
      await announceDeleted(change, programOfInstall(install, app.name), secrets.get(install.id) ?? [])
    }
  }
  if (installs.length === PART || (await deleteSomeSessions(tx, app.id, PART)) === PART) return false
  await deleteApp(tx, app.id)
  return true
}
