import type { MaybePromise } from '#foundation/maybe-promise.ts'
import type { Db } from './database.ts'

/** Detects commits to the database by any process since an earlier check. */
export interface Commits {
  /**
   * Returns a value that changes with every commit. The check happens after the call. Returns undefined if commits come
   * too fast for a check to pay off.
   */
  version(): MaybePromise<string | number | undefined>
}

const commitsByDb = new WeakMap<object, Commits>()

export function watchCommits(db: Db, commits: Commits): void {
  commitsByDb.set(db, commits)
}

/** Returns undefined within transactions, which see their own uncommitted changes. */
export function findCommits(db: Db): Commits | undefined {
  return commitsByDb.get(db)
}

/** Events on this process's own PostgreSQL connections. */
export interface ConnectionEvents {
  /** Called after a statement that may have changed or committed data. */
  onChange(): void
  /** Called after a connection broke: the server may have crashed or been replaced. */
  onBroken(): void
}
