import { byItself } from '#foundation/access/caller.ts'
import type { Db } from '#foundation/db/database.ts'
import { addImportJob, newImport } from './request-import.ts'
import { findLastRequest, findLastScheduled, insertImport } from './store.ts'

/** A target at one branch, some of whose projects are due. */
export interface DueTarget {
  readonly orgId: string
  readonly targetId: string
  readonly reference: string | null
}

/** A source that could not be read is not asked again before that, though many of its projects are due. */
const RETRY_MS = 20 * 3_600_000

/**
 * Has the active projects of a target imported again from where they came: one import for all of them. False when that
 * cannot be: the target was never imported, its integration is gone, or its source could not be read of late.
 */
export async function scheduleImport(tx: Db, { orgId, targetId, reference }: DueTarget, now: number): Promise<boolean> {
  const last = await findLastRequest(tx, { targetId, reference })
  if (last?.org_id !== orgId) return false
  const scheduled = await findLastScheduled(tx, { targetId, reference })
  if (scheduled?.state === 'pending') return true
  if (scheduled?.state === 'failed' && scheduled.created_at > now - RETRY_MS) return false
  const target = JSON.parse(last.target) as object
  const row = await insertImport(tx, {
    ...newImport({ orgId, integrationId: last.integration_id, at: now }),
    target_id: targetId,
    name: last.name,
    // What was the default branch then may be another one today.
    target: JSON.stringify(reference === null ? target : { ...target, branch: reference }),
    files: null,
    exclusion_globs: null,
    cause: 'schedule',
    requested_by_id: null,
    requested_by_name: byItself.name,
    reference,
  })
  await addImportJob(tx, row)
  return true
}
