import type { Logger } from 'pino'
import type { Attempts } from './access/attempts.ts'
import type { AccessStore } from './access/caller.ts'
import type { Config } from './config.ts'
import type { Db } from './db/database.ts'
import type { Database } from './db/open-database.ts'
import type { Keyring } from './secrets/keyring.ts'

/** Shared services; each operation takes those it uses. */
export interface Services {
  readonly config: Config
  readonly database: Database
  readonly db: Db
  readonly keyring: Keyring
  readonly log: Logger
  readonly access: AccessStore
  readonly attempts: Attempts
  /** Public address without a trailing slash. */
  readonly baseUrl: string
  /** Epoch milliseconds. */
  now(): number
}
