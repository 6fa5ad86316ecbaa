import { closeSync, fdatasync, openSync } from 'node:fs'

/** Thrown if the write-ahead log of a database file could not be written to disk. */
export class LogNotSynced extends Error {}

/**
 * The write-ahead log beside a database file (sqlite.org/wal.html). SQLite itself would sync it in each commit and
 * block the event loop meanwhile. With `synchronous = normal` it leaves these syncs to this class, and only syncs
 * around checkpoints and when it restarts the log. Committed data is a prefix of the log, so that one sync covers all
 * commits before it.
 */
export class SqliteLog {
  readonly #path: string
  readonly #file: number

  /** Opens the log, which a connection creates with its first read and keeps while it is open. */
  constructor(databasePath: string) {
    this.#path = `${databasePath}-wal`
    // A process that closes any handle of a file loses its locks on it; SQLite's locks are on other files.
    this.#file = openSync(this.#path, 'r+')
  }

  /** Resolves when the present content of the log is on disk; rejects with `LogNotSynced`. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#file, (cause) => {
        if (!cause) return resolve()
        const message = `${this.#path} could not be written to disk. Nothing is stored until the server is restarted: ${cause.message}`
        reject(new LogNotSynced(message, { cause }))
      })
    })
  }

  close(): void {
    closeSync(this.#file)
  }
}
