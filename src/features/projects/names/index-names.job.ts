import { setImmediate as nextTurn } from 'node:timers/promises'
import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import { indexNames } from './name-parts-store.ts'

/** Projects per transaction: about ten milliseconds on SQLite. */
const BATCH = 50

/** Stores the parts of new and changed names. Until then, searches read these names directly. */
export function indexProjectNames({ db }: Pick<Services, 'db'>): JobKind {
  return defineJob({
    name: 'index-project-names',
    maxAttempts: 5,
    everyMinutes: 1,
    async run(_payload, { signal }) {
      while ((await indexNames(db, BATCH)) > 0) {
        signal.throwIfAborted()
        await nextTurn()
      }
    },
  })
}
