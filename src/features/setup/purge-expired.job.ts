import { IDEMPOTENCY_HOURS } from '#foundation/http/change.ts'
import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import * as store from './store.ts'

/** Removes what has ended by itself: answers kept for idempotency keys. */
export function purgeExpired({ db, now }: Services): JobKind {
  return defineJob({
    name: 'purge-expired',
    maxAttempts: 1,
    everyMinutes: 60,
    run: async () => store.deleteIdempotencyKeys(db, now() - IDEMPOTENCY_HOURS * 3_600_000),
  })
}
