import type { Db } from './database.ts'
import type { DirectReads } from './sqlite/dialect.ts'

const direct = new WeakMap<object, DirectReads>()

/** Lets prepared queries on this database bypass Kysely's executor outside transactions. */
export function readDirectly(db: Db, reads: DirectReads): void {
  direct.set(db, reads)
}

/** Returns undefined for PostgreSQL and within transactions. */
export function findDirectReads(db: Db): DirectReads | undefined {
  return direct.get(db)
}
