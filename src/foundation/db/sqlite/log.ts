import { closeSync, fdatasync, openSync } from 'node:fs'

/** The write-ahead log of a database file could not be written to disk. */
export class LogNotSynced extends Error {}

/**
 * The write-ahead log beside a database file (sqlite.org/wal.html). SQLite itself syncs it in each commit and blocks the
 * event loop meanwhile; with `synchronous = normal` it leaves that to us, and still syncs around checkpoints and when the
 * log begins anew. What is committed is a prefix of the log, so that one sync covers all commits before it.
 */
export class SqliteLog {
  readonly #path: string
  readonly #file: number

  /** Opens the log, which a connection makes with its first read and keeps for as long as it is open. */
  constructor(databasePath: string) {
    this.#path = `${databasePath}-wal`
    // A process that closes any handle of a file loses its locks on it; SQLite's locks are on other files.
    this.#file = openSync(this.#path, 'r+')
  }

  /** Resolves when everything that is in the log now is on disk; rejects with `LogNotSynced`. */
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
