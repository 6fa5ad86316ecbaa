import type { Engine } from '#foundation/db/database.ts'

/** Milliseconds until the last failure counts; a test that hits a quiet moment ends long before. */
const PATIENCE_MS = 120_000

/**
 * Repeats an attempt that a commit to another database of the same PostgreSQL server may disturb: PostgreSQL's
 * snapshots, by which cached reads are judged (commits.ts), cover the whole server. SQLite has one attempt.
 */
export async function untilUndisturbed(engine: Engine, attempt: () => Promise<void>): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (engine === 'sqlite' || performance.now() > end) throw error
    }
  }
}
