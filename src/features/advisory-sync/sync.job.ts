import type { Db } from '#foundation/db/database.ts'
import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import type { SyncProgress } from '#scanning/advisories/sync-order.ts'
import { runAdvisoriesSync, type SyncSettings } from './sync.ts'
import { toSyncSettings } from './sync-settings.ts'
import { saveSyncState } from './sync-state-store.ts'

export const SYNC_ADVISORIES = 'sync-advisories'
const PROGRESS_MS = 1000

/**
 * Syncs advisories: on a schedule if configured, and on request. This process uses the result at once; others are
 * notified, or poll.
 */
export function syncAdvisories(
  { config, db, now }: Pick<Services, 'config' | 'db' | 'now'>,
  { refresh }: Pick<AdvisoryHolder, 'refresh'>,
): JobKind {
  const everyMinutes = config.advisoriesSyncMinutes
  return defineJob({
    name: SYNC_ADVISORIES,
    maxAttempts: 3,
    ...(everyMinutes > 0 && { everyMinutes }),
    async run(_payload, { log, signal }) {
      const result = await runVisibly({ db, now }, { ...toSyncSettings(config), signal })
      for (const { label, failure } of result.exploitSources) {
        if (failure !== undefined) log.warn({ source: label, failure }, 'a source of exploit data failed')
      }
      if (result.outcome === 'unchanged') return log.info({ digest: result.digest }, 'advisories are up to date')
      await refresh()
      const { digest, records, fetched, removed, rejectedCount, missing } = result
      log.info(
        { digest, records, fetched, removed, rejected: rejectedCount, missing: missing.length },
        'advisories synced',
      )
      for (const { id, reason } of result.rejected.slice(0, 20)) log.warn({ id, reason }, 'an advisory was rejected')
    },
  })
}

/** Stores the progress and outcome of a sync, for administrators who wait for it. */
async function runVisibly(tools: { readonly db: Db; now(): number }, settings: SyncSettings) {
  const { db, now } = tools
  await saveSyncState(db, { state: 'running', updatedAt: now() })
  let writing = Promise.resolve()
  let writtenAt = now()
  const onProgress = (progress: SyncProgress) => {
    if (now() - writtenAt < PROGRESS_MS) return
    writtenAt = now()
    // A sync does not depend on its display.
    writing = writing.then(() => saveSyncState(db, { state: 'running', updatedAt: now(), progress })).catch(() => {})
  }
  try {
    const result = await runAdvisoriesSync(tools, { ...settings, onProgress })
    await writing
    await saveSyncState(db, { state: 'done', updatedAt: now() })
    return result
  } catch (error) {
    await writing
    const failure = error instanceof Error ? error.message : String(error)
    await saveSyncState(db, { state: 'failed', updatedAt: now(), failure })
    throw error
  }
}
