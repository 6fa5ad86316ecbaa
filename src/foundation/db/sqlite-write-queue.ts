const MAX_WRITES_PER_COMMIT = 64

/** The turn to write. `leave` resolves when the work is on disk (or rolled back), and rejects if it could not be. */
export interface Write {
  readonly left: boolean
  /** Why nothing more can be written in this turn. */
  readonly lost: unknown
  /** SQLite has rolled back by itself (disk full, I/O error): nobody of the group may believe to be saved. */
  lose(error: unknown): void
  leave(outcome: 'commit' | 'rollback'): Promise<void>
}

/**
 * Writers one after another, commits shared. Statements run synchronously, so a writer that is done leaves its
 * transaction open for one turn of the event loop; requests that arrived meanwhile write into it too, and one commit
 * syncs them all. Each writer's work sits in a savepoint, so one that fails takes nothing with it; none is told "done"
 * before the shared commit is on disk.
 */
export class WriteQueue {
  readonly #exec: (sql: string) => void
  readonly #waiting: (() => void)[] = []
  readonly #onIdle: (() => void)[] = []
  #busy = false
  #open = false
  #commitDue = false
  #group: { resolve: () => void; reject: (error: unknown) => void }[] = []

  constructor(exec: (sql: string) => void) {
    this.#exec = exec
  }

  async enter(): Promise<Write> {
    if (this.#busy) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#busy = true
    try {
      if (!this.#open) this.#exec('begin immediate')
      this.#open = true
      this.#exec('savepoint writer')
    } catch (error) {
      this.#passOn()
      throw error
    }
    const write = {
      left: false,
      lost: undefined as unknown,
      lose: (error: unknown) => {
        write.lost = error
        this.#fail(error)
      },
      leave: (outcome: 'commit' | 'rollback') => {
        write.left = true
        return write.lost === undefined ? this.#leave(outcome) : this.#leaveLost(outcome, write.lost)
      },
    }
    return write
  }

  /** Resolves when nobody writes, waits to, or waits for a commit. */
  async idle(): Promise<void> {
    if (this.#busy || this.#open) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }

  async #leave(outcome: 'commit' | 'rollback'): Promise<void> {
    try {
      this.#exec(outcome === 'commit' ? 'release writer' : 'rollback to writer; release writer')
    } catch (error) {
      this.#fail(error)
      this.#tryRollback()
      this.#passOn()
      throw error
    }
    const saved =
      outcome === 'commit'
        ? new Promise<void>((resolve, reject) => this.#group.push({ resolve, reject }))
        : Promise.resolve()
    if (this.#group.length >= MAX_WRITES_PER_COMMIT || this.#commitDue) this.#commit()
    else if (this.#open) setImmediate(() => this.#commitSoon())
    this.#passOn()
    await saved
  }

  async #leaveLost(outcome: 'commit' | 'rollback', error: unknown): Promise<void> {
    this.#passOn()
    if (outcome === 'commit') throw error
  }

  #commitSoon(): void {
    if (!this.#open) return
    // In the middle of somebody's work: they commit for all when they leave.
    if (this.#busy) this.#commitDue = true
    else {
      this.#commit()
      this.#reportIdle()
    }
  }

  #commit(): void {
    const group = this.#group
    this.#group = []
    this.#open = false
    this.#commitDue = false
    try {
      this.#exec('commit')
    } catch (error) {
      this.#tryRollback()
      for (const member of group) member.reject(error)
      return
    }
    for (const member of group) member.resolve()
  }

  /** Nothing of the open transaction will be there. */
  #fail(error: unknown): void {
    const group = this.#group
    this.#group = []
    this.#open = false
    this.#commitDue = false
    for (const member of group) member.reject(error)
  }

  #tryRollback(): void {
    try {
      this.#exec('rollback')
    } catch {
      // SQLite has already rolled back by itself (disk full, I/O error).
    }
  }

  #passOn(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else {
      this.#busy = false
      this.#reportIdle()
    }
  }

  #reportIdle(): void {
    if (this.#busy || this.#open) return
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }
}
