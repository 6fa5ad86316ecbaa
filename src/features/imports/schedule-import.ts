import { findIntegration } from '#features/integrations/store.ts'
import type { UnreadSource } from '#features/projects/retests/retest-projects.ts'
import { systemActor } from '#foundation/access/caller.ts'
import type { Db } from '#foundation/db/database.ts'
import { findUnreadSince } from './projects-store.ts'
import { addImportJob, newImport } from './request-import.ts'
import { findLastRequest, findLastScheduled, type ImportRow, insertImport } from './store.ts'

/** A target at one branch, some of whose projects are due. */
export interface DueTarget {
  readonly orgId: string
  readonly targetId: string
  readonly reference: string | null
}

/** Wait before a failed source is read again: as long as it has failed already, within these bounds. */
const RETRY_MS = { least: 20 * 3_600_000, most: 6 * 86_400_000 } as const

/**
 * Imports the active projects of a target again, in one import from their integration. Returns the reason if that is
 * not possible: the target was never imported, its integration was deleted, or its source could not be read recently.
 */
export async function scheduleImport(
  tx: Db,
  { orgId, targetId, reference }: DueTarget,
  now: number,
): Promise<'asked' | UnreadSource> {
  const last = await findLastRequest(tx, { targetId, reference })
  if (last?.org_id !== orgId)
    return { message: 'The request of the first import is unknown. Import the target again.', since: now }
  const scheduled = await findLastScheduled(tx, { targetId, reference })
  if (scheduled?.state === 'pending') return 'asked'
  if (scheduled?.state === 'failed' && !(await isWorthAsking(tx, { failed: scheduled, last, now }))) {
    return { message: scheduled.message ?? 'The source could not be read', since: scheduled.ended_at ?? now }
  }
  const target = JSON.parse(last.target) as object
  const row = await insertImport(tx, {
    ...newImport({ orgId, integrationId: last.integration_id, at: now }),
    target_id: targetId,
    name: last.name,
    // The default branch may have changed since.
    target: JSON.stringify(reference === null ? target : { ...target, branch: reference }),
    files: null,
    exclusion_globs: null,
    cause: 'schedule',
    requested_by_id: null,
    requested_by_name: systemActor.name,
    reference,
  })
  await addImportJob(tx, row)
  return 'asked'
}

/** Decides on a retry: less often over time, but at once after a new import or a change of the integration. */
async function isWorthAsking(
  tx: Db,
  { failed, last, now }: { failed: ImportRow; last: ImportRow; now: number },
): Promise<boolean> {
  if (last.state === 'complete') return true
  const { org_id: orgId, integration_id: integrationId, target_id: targetId, reference, created_at: askedAt } = failed
  const integration = await findIntegration(tx, orgId, integrationId)
  if (integration !== undefined && integration.updatedAt > askedAt) return true
  const since = await findUnreadSince(tx, { targetId: targetId!, reference })
  const lasted = askedAt - (since ?? askedAt)
  return now - askedAt >= Math.min(RETRY_MS.most, Math.max(RETRY_MS.least, lasted))
}
