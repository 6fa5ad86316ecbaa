import { sql } from 'kysely'
import type { Commits, ConnectionEvents } from './commits.ts'
import type { Db } from './database.ts'
import { prepared } from './prepared.ts'
import { createTurnReadings } from './turn-readings.ts'

/**
 * Pause after two checks in a row found new commits, in milliseconds; meanwhile pages are read again without a check.
 */
const BUSY_MS = 10

/**
 * Reads PostgreSQL's snapshot of running transactions. Two statements with the same snapshot read the same data, and no
 * snapshot recurs after a writing transaction has ended. A crashed server may reuse lost ids, so a broken connection or
 * a server restart begins a new count.
 */
const readSnapshot = prepared((db: Db, _: Record<never, never>) =>
  db.selectNoFrom(sql<string>`pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text`.as('snapshot')),
)

/**
 * Versions of an SQLite database, read by `look`; one check serves all callers of the same event-loop turn. Commits of
 * this process end in a later turn than a check, since they wait for the disk.
 */
export function sqliteCommits(db: Db, look: () => number): Commits {
  const lookWithOthers = createTurnReadings<number>()
  const seen = createSeen<number>()
  return {
    version: () =>
      seen.value ??
      lookWithOthers(db, '', async () => {
        await undefined
        return seen.keep(look())
      }),
  }
}

/** The last result, for callers that continue after a check without waiting: all of them asked before it. */
function createSeen<T>() {
  const seen = {
    value: undefined as T | undefined,
    /** Must be called in a promise job: the tick runs after all promise jobs and before new input. */
    keep(value: T): T {
      seen.value = value
      process.nextTick(() => {
        seen.value = undefined
      })
      return value
    },
  }
  return seen
}

/** Versions of a PostgreSQL database; one check serves all callers of the same event-loop turn. */
export function postgresCommits(db: Db, now = () => performance.now()): Commits & ConnectionEvents {
  const lookWithOthers = createTurnReadings<string | undefined>()
  let changes = 0
  let broken = 0
  const seen = createSeen<string>()
  let last: string | undefined
  let wasNew = false
  let busyUntil = Number.NEGATIVE_INFINITY

  async function look(): Promise<string | undefined> {
    const [changesBefore, brokenBefore] = [changes, broken]
    const [row] = await readSnapshot(db, {})
    if (broken !== brokenBefore) return undefined
    const version = `${broken} ${row!.snapshot}`
    if (version !== last && wasNew) busyUntil = now() + BUSY_MS
    wasNew = last !== undefined && version !== last
    last = version
    return changes === changesBefore ? seen.keep(version) : version
  }

  return {
    version() {
      if (seen.value !== undefined) return seen.value
      return now() < busyUntil ? undefined : lookWithOthers(db, '', look)
    },
    onChange() {
      changes++
      seen.value = undefined
    },
    onBroken() {
      broken++
      seen.value = undefined
    },
  }
}
