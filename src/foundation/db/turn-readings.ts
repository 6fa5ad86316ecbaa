import type { Db } from './database.ts'

/**
 * Runs one read for all callers with the same key in an event-loop turn, after all input of that turn was read: no
 * request sees data older than itself. Results are shared and must not be changed.
 */
export function createTurnReadings<T>(): (db: Db, key: string, read: () => Promise<T> | T) => Promise<T> {
  const askedInTurn = new WeakMap<Db, Map<string, Promise<T>>>()
  return (db, key, read) => {
    const readings = askedInTurn.get(db) ?? new Map<string, Promise<T>>()
    askedInTurn.set(db, readings)
    const existing = readings.get(key)
    if (existing) return existing
    const reading = new Promise<T>((resolve, reject) => {
      setImmediate(() => {
        // Later callers start a new read.
        readings.delete(key)
        Promise.try(read).then(resolve, reject)
      })
    })
    readings.set(key, reading)
    return reading
  }
}
