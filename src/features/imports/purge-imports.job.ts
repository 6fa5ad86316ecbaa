import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import { deleteOldImports } from './store.ts'

const DAY_MS = 86_400_000
/** Days for which scheduled imports are kept; each target has one a day. */
const SCHEDULED_DAYS = 7

/** Deletes old imports. Their projects stay, and the last import of each target and branch. */
export function purgeImports({ db, config, now }: Pick<Services, 'db' | 'config' | 'now'>): JobKind {
  const daysOf = { request: config.importKeepDays, schedule: Math.min(SCHEDULED_DAYS, config.importKeepDays) }
  return defineJob({
    name: 'purge-imports',
    maxAttempts: 1,
    everyMinutes: 60,
    async run(_payload, { signal }) {
      for (const [cause, days] of Object.entries(daysOf)) {
        const before = now() - days * DAY_MS
        let from: number | undefined = 0
        while (!signal.aborted && from !== undefined) from = await deleteOldImports(db, { cause, from, before })
      }
    },
  })
}
