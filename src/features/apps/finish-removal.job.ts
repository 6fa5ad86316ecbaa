import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import { FINISH_REMOVAL, type Removal, removePart } from './remove-app.ts'
import { lockEndedApp } from './store.ts'

/** Removes the remains of a deleted app in parts. An interrupted run is resumed. */
export function finishAppRemovals({ db, now }: Pick<Services, 'db' | 'now'>): JobKind {
  return defineJob<Removal>({
    name: FINISH_REMOVAL,
    // If the job gave up, the remains of the app would stay forever.
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
        // On SQLite, a part blocks all other work of the process; leave half of the time to it.
        if (!isDone) await pause(performance.now() - begun, undefined, { signal })
      }
    },
  })
}
