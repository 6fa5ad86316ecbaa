import { andThen, type Soon } from '../soon.ts'
import type { Db } from './database.ts'
import { type DirectReads, findDirectReads } from './direct-reads.ts'

/**
 * What was read from SQLite, kept for exactly as long as nothing at all was committed to the file, by whichever process.
 * PostgreSQL is asked each time, and so is a transaction. What is kept is shared: nobody may change it.
 */
export interface Memory<T> {
  recall(db: Db, key: string, read: () => Soon<T>): Soon<T>
}

interface Limits<T> {
  readonly maxWeight: number
  weightOf(value: T): number
}

interface Kept<T> {
  readonly version: number
  readonly values: Map<string, T>
  weight: number
}

/** Strangers choose parts of some keys; longer ones are not worth their room. */
const MAX_KEY_LENGTH = 512

export function createMemory<T>({ maxWeight, weightOf }: Limits<T>): Memory<T> {
  const memories = new WeakMap<DirectReads, Kept<T>>()
  return {
    recall(db, key, read) {
      const reads = findDirectReads(db)
      if (!reads || key.length > MAX_KEY_LENGTH) return read()
      const version = reads.version()
      let kept = memories.get(reads)
      if (kept?.version !== version || kept.weight >= maxWeight) {
        kept = { version, values: new Map(), weight: 0 }
        memories.set(reads, kept)
      }
      const known = kept.values.get(key)
      if (known !== undefined) return known
      const into = kept
      return andThen(read(), (value) => {
        // What was read may be newer than the version looked at before; it is then only read again.
        into.values.set(key, value)
        into.weight += weightOf(value)
        return value
      })
    },
  }
}
