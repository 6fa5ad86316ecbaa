import { sql } from 'kysely'
import type { Db } from './database.ts'
import { isPostgres } from './transaction-lock.ts'

/**
 * Reads the clock of the database in epoch milliseconds. Processes that share the database compare times with it,
 * because their own clocks differ.
 */
export async function readClock(db: Db): Promise<number> {
  if (!isPostgres(db)) return Date.now()
  const clock = sql<{ at: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`
  return Math.floor((await clock.execute(db)).rows[0]!.at)
}
