import type { CompiledQuery, QueryResult } from 'kysely'
import type { Db } from './database.ts'

/** Reads that bypass Kysely's queues, which cost as much as a query. */
export interface DirectReads {
  run<R>(query: CompiledQuery<R>): QueryResult<R>
  /** Returns a value that changes with every commit, by this process or another (`pragma data_version`). */
  dataVersion(): number
}

const direct = new WeakMap<object, DirectReads>()

/** Lets prepared queries on this database bypass Kysely's executor outside transactions. */
export function readDirectly(db: Db, reads: DirectReads): void {
  direct.set(db, reads)
}

/** Returns undefined for PostgreSQL and within transactions. */
export function findDirectReads(db: Db): DirectReads | undefined {
  return direct.get(db)
}
