import { type Actor, systemActor } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { addEvent } from '#foundation/events/add-event.ts'
import { countManifests, failWaiting } from './manifests-store.ts'
import { noteUnreadProjects, noteUnreadTarget, type Unread } from './projects-store.ts'
import { endImport, type ImportRow } from './store.ts'
import { removeWorkersOf } from './workers-store.ts'

export interface Ending {
  readonly state: 'complete' | 'failed' | 'aborted'
  /** The reason for a failed or incomplete import. */
  readonly message: string | null
  /** The actor that canceled the import; default: the system. */
  readonly actor?: Actor
  readonly at: number
}

/** Marks projects as outdated, so that their pages show it: few users look at imports. */
async function noteUnread(tx: Db, { id, target_id, reference, listed_at }: ImportRow, unread: Unread): Promise<void> {
  if (listed_at !== null) return noteUnreadProjects(tx, await failWaiting(tx, id, unread), unread)
  if (target_id !== null) await noteUnreadTarget(tx, { targetId: target_id, reference }, unread)
}

/**
 * Finishes an import once; returns undefined if it was finished before. Waiting manifests fail, unless the import was
 * canceled.
 */
export async function finishImport(tx: Db, id: string, ending: Ending): Promise<ImportRow | undefined> {
  const { state, message, actor = systemActor, at } = ending
  const row = await endImport(tx, id, { state, message, at })
  if (row === undefined) return undefined
  await removeWorkersOf(tx, id)
  if (state !== 'aborted' && message !== null) await noteUnread(tx, row, { message, at })
  const { done, failed } = await countManifests(tx, id)
  await addEvent(tx, {
    orgId: row.org_id,
    type: 'import.finished',
    data: {
      import: {
        id,
        integration_id: row.integration_id,
        name: row.name,
        state,
        cause: row.cause as 'request' | 'schedule',
        message: row.message,
      },
      manifests: { done, failed },
    },
    at,
  })
  await recordAudit(
    { tx, actor, at },
    { id, group_id: null, org_id: row.org_id },
    {
      action: state === 'aborted' ? 'import.cancel' : 'import.finish',
      kind: 'import',
      after: {
        name: row.name,
        state,
        manifests: { done, failed },
        ...(row.message !== null && { message: row.message }),
      },
    },
  )
  return row
}
