import { type Db, isDeadlock } from './database.ts'
import { isOutdatedStatement } from './statements/statement-names.ts'

/** Attempts before repeated deadlocks count as a failure of the server. */
const MAX_ATTEMPTS = 4

/**
 * Runs `work` in a transaction, and again after a deadlock or a change of the schema, so `work` must change nothing but
 * the database.
 */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return repeatAfterDeadlock(() => db.transaction().execute(work))
}

/**
 * Repeats a statement or a whole transaction that PostgreSQL rolled back because of a deadlock, or refused because a
 * newer version changed the schema. Deadlocks happen since jobs and requests write the same rows in different orders,
 * and checks of foreign keys lock rows in an order of their own.
 */
export async function repeatAfterDeadlock<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      if (attempts === MAX_ATTEMPTS || !(isDeadlock(error) || isOutdatedStatement(error))) throw error
    }
  }
}
