import type { Db } from './database.ts'

/**
 * Asks once for all that ask the same in one turn of the event loop, after all that the turn received has been read: no
 * request is answered with what was there before it came. What is read is shared: nobody may change it.
 */
export function createTurnReadings<T>(): (db: Db, key: string, read: () => Promise<T> | T) => Promise<T> {
  const askedInTurn = new WeakMap<Db, Map<string, Promise<T>>>()
  return (db, key, read) => {
    const asked = askedInTurn.get(db) ?? new Map<string, Promise<T>>()
    askedInTurn.set(db, asked)
    const known = asked.get(key)
    if (known) return known
    const reading = new Promise<T>((resolve, reject) => {
      setImmediate(() => {
        // Whoever comes from here on asks anew.
        asked.delete(key)
        Promise.try(read).then(resolve, reject)
      })
    })
    asked.set(key, reading)
    return reading
  }
}
