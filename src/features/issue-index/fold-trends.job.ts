import { setImmediate as nextTurn } from 'node:timers/promises'
import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import { foldChanges } from './trends/fold-store.ts'
import { foldUpgrades } from './upgrades/upgrades-store.ts'

/** Changes per transaction. */
const BATCH = 1_000

/** Adds stored changes to the trends and upgrades of organizations. Until then, readers of trends add them. */
export function foldTrends({ db }: Pick<Services, 'db'>): JobKind {
  return defineJob({
    name: 'fold-trends',
    maxAttempts: 5,
    everyMinutes: 1,
    async run(_payload, { signal }) {
      for (const fold of [foldChanges, foldUpgrades]) {
        while ((await fold(db, BATCH)) > 0) {
          signal.throwIfAborted()
          await nextTurn()
        }
      }
    },
  })
}
