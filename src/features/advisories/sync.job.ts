import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import { runAdvisoriesSync, type SyncSettings, type SyncTools } from './sync.ts'

export interface SyncSchedule {
  readonly settings: Omit<SyncSettings, 'signal' | 'onProgress'>
  /** 0: only when it is asked for. */
  readonly everyMinutes: number
}

/** Keeps the advisories up to date. Other processes find what it stored by themselves. */
export function syncAdvisoriesJob(tools: SyncTools, { settings, everyMinutes }: SyncSchedule): JobKind {
  return defineJob({
    name: 'sync-advisories',
    maxAttempts: 3,
    ...(everyMinutes > 0 && { everyMinutes }),
    async run(_payload, { log, signal }) {
      const result = await runAdvisoriesSync(tools, { ...settings, signal })
      if (result.outcome === 'unchanged') return log.info({ digest: result.digest }, 'advisories are up to date')
      const { digest, records, fetched, removed, rejectedCount, missing } = result
      log.info(
        { digest, records, fetched, removed, rejected: rejectedCount, missing: missing.length },
        'advisories synced',
      )
      for (const { id, reason } of result.rejected.slice(0, 20)) log.warn({ id, reason }, 'an advisory was rejected')
    },
  })
}
