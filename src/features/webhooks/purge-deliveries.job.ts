import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import { purgeEvents } from './deliveries-store.ts'

/** Deletes events and their deliveries after the configured days. */
export function purgeDeliveries({ db, now, config }: Pick<Services, 'db' | 'now' | 'config'>): JobKind {
  return defineJob({
    name: 'purge-webhook-deliveries',
    maxAttempts: 1,
    everyMinutes: 60,
    async run(_payload, { signal }) {
      const before = now() - config.webhookLogDays * 86_400_000
      while (!signal.aborted && (await purgeEvents(db, { before, now: now() })));
    },
  })
}
