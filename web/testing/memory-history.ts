import { type History, toLocation } from '../router/history.ts'

export interface MemoryHistory extends History {
  /** Returns the number of addresses, forward ones included. */
  entries(): number
}

/** Returns a history in memory that begins at an address. */
export function memoryHistory(at: string): MemoryHistory {
  const entries = [toLocation(at, { pathname: '/', search: '', hash: '' })]
  const listeners: (() => void)[] = []
  let index = 0
  return {
    entries: () => entries.length,
    read: () => entries[index]!,
    push(location) {
      index++
      entries.splice(index, entries.length, location)
    },
    replace(location) {
      entries[index] = location
    },
    go(steps) {
      index += steps
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.push(listener)
    },
  }
}
