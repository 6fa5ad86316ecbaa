import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import { runAdvisoriesSync } from './sync.ts'
import { toSyncSettings } from './sync-settings.ts'

/**
 * Syncs advisories, on a schedule if configured. This process uses the result at once; others are notified, or poll.
 */
export function syncAdvisories(
  { config, db, now }: Pick<Services, 'config' | 'db' | 'now'>,
  { refresh }: Pick<AdvisoryHolder, 'refresh'>,
): JobKind {
  const everyMinutes = config.advisoriesSyncMinutes
  return defineJob({
    name: 'sync-advisories',
    maxAttempts: 3,
    ...(everyMinutes > 0 && { everyMinutes }),
    async run(_payload, { log, signal }) {
      const result = await runAdvisoriesSync({ db, now }, { ...toSyncSettings(config), signal })
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
