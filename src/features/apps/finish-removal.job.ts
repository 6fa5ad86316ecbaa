import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import { FINISH_REMOVAL, type Removal, removePart } from './remove-app.ts'
import { lockEndedApp } from './store.ts'

/** Removes what is left of an app that was deleted, part by part; begun again, it goes on where it was. */
export function finishAppRemovals({ db, now }: Pick<Services, 'db' | 'now'>): JobKind {
  return defineJob<Removal>({
    name: FINISH_REMOVAL,
    // What is left of an app would stay for ever if this were given up.
    maxAttempts: Infinity,
    async run({ appId, actor }, { signal }) {
      let isDone = false
      while (!isDone) {
        signal.throwIfAborted()
        const begun = performance.now()
        isDone = await inTransaction(db, async (tx) => {
          const app = await lockEndedApp(tx, appId)
          return app === undefined || removePart({ tx, actor, at: now() }, app)
        })
        // On SQLite a part keeps the process from all else. Half of the time is for others.
        if (!isDone) await pause(performance.now() - begun, undefined, { signal })
      }
    },
  })
}
