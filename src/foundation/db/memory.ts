import { andThen, type MaybePromise } from '#foundation/maybe-promise.ts'
import { type Commits, findCommits } from './commits.ts'
import type { Db } from './database.ts'

/**
 * Caches reads until the next commit by any process (commits.ts). Transactions bypass it. Cached values are shared and
 * must not be changed.
 */
export interface Memory<T> {
  recall(db: Db, key: string, read: () => MaybePromise<T>): MaybePromise<T>
}

interface Limits<T> {
  readonly maxWeight: number
  weightOf(value: T): number
}

interface Kept<T> {
  readonly version: number | string
  readonly values: Map<string, T>
  /** Reads in progress: each began after the same version check, so it is as current as a new one. */
  readonly pending: Map<string, Promise<T>>
  weight: number
}

/** Maximum length of a cached key: clients choose parts of some keys. */
const MAX_KEY_LENGTH = 512

export function createMemory<T>({ maxWeight, weightOf }: Limits<T>): Memory<T> {
  const memories = new WeakMap<Commits, Kept<T>>()

  function keptUnder(commits: Commits, version: number | string): Kept<T> {
    const kept = memories.get(commits)
    if (kept?.version === version && kept.weight < maxWeight) return kept
    const fresh: Kept<T> = { version, values: new Map(), pending: new Map(), weight: 0 }
    memories.set(commits, fresh)
    return fresh
  }

  // The value may be newer than the version seen before; then it is only read once more.
  function keep(kept: Kept<T>, key: string, value: T): T {
    kept.values.set(key, value)
    kept.weight += weightOf(value)
    return value
  }

  return {
    recall(db, key, read) {
      const commits = findCommits(db)
      if (!commits || key.length > MAX_KEY_LENGTH) return read()
      return andThen(commits.version(), (version) => {
        if (version === undefined) return read()
        const kept = keptUnder(commits, version)
        const cached = kept.values.get(key) ?? kept.pending.get(key)
        if (cached !== undefined) return cached
        const reading = read()
        if (!(reading instanceof Promise)) return keep(kept, key, reading)
        const keeping = reading.then((value) => keep(kept, key, value)).finally(() => kept.pending.delete(key))
        kept.pending.set(key, keeping)
        return keeping
      })
    },
  }
}
