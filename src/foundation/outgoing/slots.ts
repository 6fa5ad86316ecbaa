/** Runs at most `limit` tasks per key at once; others wait. */
export interface Slots {
  /** Rejects with the signal's reason if it aborts during the wait. */
  run<T>(key: string, turn: Turn, work: () => Promise<T>): Promise<T>
}

export interface Turn {
  readonly signal?: AbortSignal | undefined
  /** Parties, such as organizations, take turns; one may use at most seven eighths of the slots. */
  readonly party?: string | undefined
}

interface Line {
  taken: number
  /** Running tasks by party. */
  readonly running: Map<string, number>
  /** Waiting tasks by party, in order; the empty string is the party of tasks without one. */
  readonly waiting: Map<string, Set<() => void>>
}

/** Share of the slots that one named party may have. */
const SHARE_OF_PARTY = 7 / 8

export function createSlots(limit: number): Slots {
  const lines = new Map<string, Line>()
  const mostOfParty = Math.max(1, Math.floor(limit * SHARE_OF_PARTY))

  function mayRun(line: Line, party: string): boolean {
    return line.taken < limit && (party === '' || (line.running.get(party) ?? 0) < mostOfParty)
  }

  function begin(line: Line, party: string): void {
    line.taken++
    line.running.set(party, (line.running.get(party) ?? 0) + 1)
  }

  function enter(key: string, { signal, party = '' }: Turn): Promise<void> {
    signal?.throwIfAborted()
    const line = lines.get(key) ?? { taken: 0, running: new Map(), waiting: new Map() }
    lines.set(key, line)
    if (mayRun(line, party)) {
      begin(line, party)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        withdraw(line, party, proceed)
        reject(signal?.reason)
      }
      const proceed = () => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      line.waiting.set(party, (line.waiting.get(party) ?? new Set()).add(proceed))
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  function leave(key: string, { party = '' }: Turn): void {
    const line = lines.get(key)!
    line.taken--
    const left = line.running.get(party)! - 1
    if (left > 0) line.running.set(party, left)
    else line.running.delete(party)
    for (const [next, waiting] of line.waiting) {
      if (!mayRun(line, next)) continue
      const [first] = waiting as Iterable<() => void> as [() => void]
      withdraw(line, next, first)
      // Its next turn comes after all others.
      if (waiting.size > 0) line.waiting.delete(next)
      if (waiting.size > 0) line.waiting.set(next, waiting)
      begin(line, next)
      first()
      return
    }
    if (line.taken === 0) lines.delete(key)
  }

  return {
    async run(key, turn, work) {
      await enter(key, turn)
      try {
        return await work()
      } finally {
        leave(key, turn)
      }
    },
  }
}

function withdraw(line: Line, party: string, proceed: () => void): void {
  const waiting = line.waiting.get(party)
  waiting?.delete(proceed)
  if (waiting?.size === 0) line.waiting.delete(party)
}
