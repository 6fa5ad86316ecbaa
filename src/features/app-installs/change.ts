import { toAuditedInstall } from '#features/apps/change.ts'
import { lockApp } from '#features/apps/store.ts'
import { findGroupOfUser } from '#features/user-sessions/users-store.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import type { SessionRow } from './sessions-store.ts'
import type { InstallRow } from './store.ts'

/**
 * Locks the app of an install, the row that serializes all changes of its installs. Calls `read` again afterward,
 * because the install may have been deleted while the lock was waited for.
 */
export async function lockInstall(tx: Db, read: (tx: Db) => Promise<InstallRow>): Promise<InstallRow> {
  await lockApp(tx, (await read(tx)).app_id)
  return read(tx)
}

export function toAudited(install: InstallRow): object {
  return toAuditedInstall(install, install.app_name)
}

/** Records the audit event in the log of the group that manages the user's account. */
export async function auditEndedSession(
  change: Change,
  session: SessionRow,
  app: { readonly id: string; readonly name: string },
): Promise<void> {
  const group_id = await findGroupOfUser(change.tx, session.user_id)
  await recordAudit(
    change,
    { id: session.id, group_id },
    {
      action: 'app_session.delete',
      before: { app_id: app.id, app_name: app.name, user_id: session.user_id },
    },
  )
}
