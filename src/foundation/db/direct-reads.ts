import type { CompiledQuery, QueryResult } from 'kysely'
import type { Db } from './database.ts'

/** Reads at once, past Kysely's queues, which cost as much as a query does. */
export interface DirectReads {
  run<R>(query: CompiledQuery<R>): QueryResult<R>
  /** Differs from an earlier answer whenever anything was committed since, by this process or another (`pragma data_version`). */
  version(): number
}

const direct = new WeakMap<object, DirectReads>()

/** Lets prepared queries on this database, outside transactions, go past Kysely's executor. */
export function readDirectly(db: Db, reads: DirectReads): void {
  direct.set(db, reads)
}

/** Undefined for PostgreSQL and within transactions. */
export function findDirectReads(db: Db): DirectReads | undefined {
  return direct.get(db)
}
