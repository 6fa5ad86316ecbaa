import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { ObjectStore } from '#foundation/objects/object-store.ts'
import { ObjectStoreFailed } from '#foundation/objects/object-store-failure.ts'
import type { Services } from '#foundation/services.ts'
import { dropAllAbandoned } from './archives-store.ts'
import { deleteObjects, listOrphans, markOrphans } from './objects-store.ts'
import { ABANDONED_AFTER_MS } from './receive-archive.ts'

const DAY_MS = 86_400_000
const OBJECTS_AT_A_TIME = 50

/**
 * Removes the objects of deleted archives and of interrupted uploads, after the days for which a restored backup may
 * still need them.
 */
export function purgeObjects(
  { db, config, now, log }: Pick<Services, 'db' | 'config' | 'now' | 'log'>,
  objects: ObjectStore | undefined,
): JobKind {
  return defineJob({
    name: 'purge-objects',
    maxAttempts: 1,
    everyMinutes: 60,
    async run(_payload, { signal }) {
      await dropAllAbandoned(db, now() - ABANDONED_AFTER_MS)
      await markOrphans(db, now())
      if (objects === undefined) return
      const before = now() - config.objectKeepDays * DAY_MS
      try {
        while (!signal.aborted) {
          const keys = await listOrphans(db, { before, count: OBJECTS_AT_A_TIME })
          if (keys.length === 0) return
          for (const key of keys) await objects.remove(key, signal)
          // Delete the records last, so that every object in the bucket has one.
          await deleteObjects(db, keys)
        }
      } catch (err) {
        if (!(err instanceof ObjectStoreFailed)) throw err
        if (signal.aborted) return
        log.warn({ err }, 'objects of deleted archives stay in the object store until the next attempt')
      }
    },
  })
}
