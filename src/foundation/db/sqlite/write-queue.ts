import { setTimeout as sleep } from 'node:timers/promises'

const MAX_WRITES_PER_COMMIT = 64

/** Milliseconds for which a writer waits for another process, such as a command run beside the server. */
const PATIENCE_MS = 60_000

/** Milliseconds between two attempts to get the lock from another process. */
const ATTEMPT_MS = 1

/** Milliseconds of continuous writing after which other processes may write. */
const TURN_MS = 500

/** Milliseconds of a pause in which other processes get the lock: several of their attempts. */
const GAP_MS = 5

/** Thrown if another process did not release the write lock in time. */
export class WriteLockHeld extends Error {
  constructor(ms: number) {
    super(`another program has held the write lock of the database for ${ms / 1000} seconds`)
  }
}

/** SQLite's primary result code for a lock that another connection holds (SQLITE_BUSY). */
const BUSY = 5

/** A turn to write. `leave` resolves when the work is on disk or rolled back, and rejects on failure. */
export interface Write {
  readonly left: boolean
  /** The reason for which this turn can no longer write. */
  readonly lost: unknown
  /** Called after SQLite rolled back on its own (disk full, I/O error): every writer of the group must fail. */
  lose(error: unknown): void
  leave(outcome: 'commit' | 'rollback'): Promise<void>
}

/** A transaction may be rolled back alone; a single statement that fails undoes itself. */
export type WriteKind = 'transaction' | 'statement'

interface Member {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

interface Storage {
  /** Must not wait for locks: it would block the event loop. */
  exec(sql: string): void
  /** Called after each commit, or once after several; resolves when all that was committed before is on disk. */
  sync(): Promise<void>
}

/**
 * Runs writers one after another and shares their commits. Statements run synchronously, so a finished writer leaves
 * its transaction open for one turn of the event loop; requests that arrived meanwhile write into it too, and one
 * commit covers all of them. The disk is awaited outside the event loop, and writers meanwhile share the next commit.
 * The work of each transaction is a savepoint, so a failed one affects no others; none is acknowledged before the
 * shared commit is on disk. Other processes get the lock in pauses, since SQLite has no queue for it.
 */
export class WriteQueue {
  readonly #storage: Storage
  readonly #patienceMs: number
  readonly #waiting: (() => void)[] = []
  readonly #onIdle: (() => void)[] = []
  #busy = false
  #open = false
  #commitDue = false
  #isSyncing = false
  /** Finished writers of the open transaction. */
  #group: Member[] = []
  /** Committed writers whose sync has not started. */
  #committed: Member[] = []
  #fault: Error | undefined
  /** Start of the current period without a gap, and end of the latest transaction, in performance.now() time. */
  #turnBeganAt = 0
  #releasedAt = 0

  constructor(storage: Storage, patienceMs = PATIENCE_MS) {
    this.#storage = storage
    this.#patienceMs = patienceMs
  }

  /** The error with which the disk refused committed data. No writes follow it. */
  get fault(): Error | undefined {
    return this.#fault
  }

  async enter(kind: WriteKind = 'transaction'): Promise<Write> {
    if (this.#busy) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#busy = true
    try {
      if (this.#fault) throw this.#fault
      if (!this.#open) {
        const waiting = this.#leaveGap()
        if (waiting) await waiting
        if (!this.#begin()) await this.#beginAfterOthers()
        this.#open = true
      }
      if (kind === 'transaction') this.#storage.exec('savepoint writer')
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
        return write.lost === undefined ? this.#leave(kind, outcome) : this.#leaveLost(outcome, write.lost)
      },
    }
    return write
  }

  /** Lets other processes write if this one has written for long; otherwise returns undefined. */
  #leaveGap(): Promise<void> | undefined {
    const now = performance.now()
    if (now - this.#releasedAt >= GAP_MS) this.#turnBeganAt = now
    if (now - this.#turnBeganAt < TURN_MS) return undefined
    this.#turnBeganAt = now + GAP_MS
    return sleep(GAP_MS)
  }

  /** Returns false if another process holds the lock. */
  #begin(): boolean {
    try {
      this.#storage.exec('begin immediate')
      return true
    } catch (error) {
      if ((Number((error as { errcode?: unknown }).errcode) & 0xff) !== BUSY) throw error
      return false
    }
  }

  async #beginAfterOthers(): Promise<void> {
    const end = performance.now() + this.#patienceMs
    do {
      if (performance.now() > end) throw new WriteLockHeld(this.#patienceMs)
      await sleep(ATTEMPT_MS)
    } while (!this.#begin())
  }

  /** Commits pending writes and blocks further ones until the returned function is called. */
  async pause(): Promise<() => void> {
    if (this.#busy) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#busy = true
    if (this.#open) this.#commit()
    return () => this.#passOn()
  }

  /** Resolves when no write, commit or sync is running or waiting. */
  async idle(): Promise<void> {
    if (!this.#isIdle) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }

  get #isIdle(): boolean {
    return !this.#busy && !this.#open && !this.#isSyncing
  }

  async #leave(kind: WriteKind, outcome: 'commit' | 'rollback'): Promise<void> {
    try {
      if (kind === 'transaction')
        this.#storage.exec(outcome === 'commit' ? 'release writer' : 'rollback to writer; release writer')
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
    else this.#commitLater()
    this.#passOn()
    await saved
  }

  async #leaveLost(outcome: 'commit' | 'rollback', error: unknown): Promise<void> {
    this.#passOn()
    if (outcome === 'commit') throw error
  }

  #commitLater(): void {
    if (this.#open) setImmediate(() => this.#commitSoon())
  }

  #commitSoon(): void {
    // While the disk is busy, more writers can join; the end of the sync calls this again.
    if (!this.#open || this.#isSyncing) return
    // Another writer is active: it commits for all when it leaves.
    if (this.#busy) this.#commitDue = true
    else {
      this.#commit()
      this.#reportIdle()
    }
  }

  #commit(): void {
    const group = this.#closeGroup()
    try {
      if (this.#fault) throw this.#fault
      this.#storage.exec('commit')
    } catch (error) {
      this.#tryRollback()
      for (const member of group) member.reject(error)
      return
    } finally {
      // Set after the commit, whose own duration must not count as a pause.
      this.#releasedAt = performance.now()
    }
    this.#committed.push(...group)
    if (!this.#isSyncing) void this.#sync()
  }

  async #sync(): Promise<void> {
    this.#isSyncing = true
    while (this.#committed.length > 0) {
      const group = this.#committed
      this.#committed = []
      try {
        if (this.#fault) throw this.#fault
        await this.#storage.sync()
        for (const member of group) member.resolve()
      } catch (error) {
        // The disk may silently lose data that it refused once, so nothing more is acknowledged until a restart.
        this.#fault ??= error as Error
        for (const member of group) member.reject(error)
      }
    }
    this.#isSyncing = false
    this.#commitLater()
    this.#reportIdle()
  }

  /** Fails the group: the open transaction is lost. */
  #fail(error: unknown): void {
    for (const member of this.#closeGroup()) member.reject(error)
    this.#releasedAt = performance.now()
  }

  /** Returns the members whose transaction ends now. */
  #closeGroup(): readonly Member[] {
    const group = this.#group
    this.#group = []
    this.#open = false
    this.#commitDue = false
    return group
  }

  #tryRollback(): void {
    try {
      this.#storage.exec('rollback')
    } catch {
      // SQLite has already rolled back (disk full, I/O error).
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
    if (!this.#isIdle) return
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }
}
