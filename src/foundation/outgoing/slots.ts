/** Lets at most `limit` pieces of work with the same key run at a time; the others wait in the order they came. */
export interface Slots {
  /** Rejects with the signal's reason if it aborts while the work waits. */
  run<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
}

interface Line {
  taken: number
  readonly waiting: Set<() => void>
}

export function createSlots(limit: number): Slots {
  const lines = new Map<string, Line>()

  function enter(key: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    const line = lines.get(key) ?? { taken: 0, waiting: new Set() }
    lines.set(key, line)
    if (line.taken < limit) {
      line.taken++
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        line.waiting.delete(proceed)
        reject(signal?.reason)
      }
      // the one who leaves hands its place over, so `taken` stays as it is
      const proceed = () => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      line.waiting.add(proceed)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  function leave(key: string): void {
    const line = lines.get(key)!
    const [next] = line.waiting
    if (next) {
      line.waiting.delete(next)
      next()
      return
    }
    line.taken--
    if (line.taken === 0) lines.delete(key)
  }

  return {
    async run(key, signal, work) {
      await enter(key, signal)
      try {
        return await work()
      } finally {
        leave(key)
      }
    },
  }
}
