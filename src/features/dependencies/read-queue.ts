import type { Db } from '#foundation/db/database.ts'

interface Runs<T> {
  readonly current: Promise<T>
  next?: Promise<T>
}

/**
 * Runs expensive reads one at a time per key. Callers that arrive during a run share the next one, which begins after
 * their calls, so it sees every commit before them. Under steady commits, which prevent caching, many callers then cost
 * as much as one.
 */
export function createReadQueue<T>() {
  const byDatabase = new WeakMap<Db, Map<string, Runs<T>>>()

  function run(runs: Map<string, Runs<T>>, key: string, read: () => Promise<T>): Promise<T> {
    const current = read().finally(() => {
      if (!runs.get(key)?.next) runs.delete(key)
    })
    runs.set(key, { current })
    return current
  }

  return {
    read(db: Db, key: string, read: () => Promise<T>): Promise<T> {
      const runs = byDatabase.get(db) ?? new Map<string, Runs<T>>()
      byDatabase.set(db, runs)
      const running = runs.get(key)
      if (!running) return run(runs, key, read)
      const begin = () => run(runs, key, read)
      running.next ??= running.current.then(begin, begin)
      return running.next
    },
  }
}
