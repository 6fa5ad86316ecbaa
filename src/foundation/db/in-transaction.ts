import { type Db, isDeadlock } from './database.ts'
import { isOutdatedStatement } from './statements/statement-names.ts'

/** Attempts before repeated deadlocks count as a failure of the server. */
const MAX_ATTEMPTS = 4

/**
 * Runs `work` in a transaction, again from the start after a deadlock or a change of the schema: `work` must change
 * nothing but the database.
 */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return repeatAfterDeadlock(() => db.transaction().execute(work))
}

/**
 * Repeats what PostgreSQL rolled back because of a deadlock: jobs write the same rows as requests in other orders, and
 * checks of foreign keys lock rows in an order of their own. Also what it refused because a newer version changed the
 * schema meanwhile. For one statement outside a transaction, or a whole transaction.
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
