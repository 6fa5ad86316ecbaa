import { join } from 'node:path'
import { Kysely } from 'kysely'
import { type ConnectionEvents, postgresCommits, sqliteCommits, watchCommits } from './commits.ts'
import { readDirectly } from './direct-reads.ts'
import { allowCopies } from './postgres-copy.ts'
import { openPostgres } from './postgres-dialect.ts'
import { openSqlite } from './sqlite-dialect.ts'
import type { Tables } from './tables.generated.ts'

/** Storage, or a transaction on it: every function that stores takes one as its first argument. */
export type Db = Kysely<Tables>

export type Engine = 'sqlite' | 'postgres'

export interface Database {
  readonly db: Db
  readonly engine: Engine
  /** The failure that prevents storing until a restart; undefined without one. */
  fault(): Error | undefined
  close(): Promise<void>
}

export interface DatabaseSettings {
  /** PostgreSQL's connection URL; absent means SQLite in the data directory. */
  readonly url?: string | undefined
  readonly dataDir: string
  readonly maxConnections: number
  /** Called when an idle connection breaks. */
  onError(error: Error): void
}

export function openDatabase({ url, dataDir, maxConnections, onError }: DatabaseSettings): Database {
  if (url === undefined) {
    const { dialect, reads, fault, close } = openSqlite(join(dataDir, 'gatehouse.sqlite'))
    const db = new Kysely<Tables>({ dialect })
    readDirectly(db, reads)
    watchCommits(db, sqliteCommits(db, reads.dataVersion))
    return { db, engine: 'sqlite', fault, close }
  }
  const events: ConnectionEvents = { onChange: () => commits.onChange(), onBroken: () => commits.onBroken() }
  const { dialect, pool } = openPostgres({ url, maxConnections, onError, events })
  const db = new Kysely<Tables>({ dialect })
  allowCopies(db, pool)
  const commits = postgresCommits(db)
  watchCommits(db, commits)
  return { db, engine: 'postgres', fault: () => undefined, close: () => db.destroy() }
}

/** Returns true if a write failed because an equal row exists, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  return isViolation(error, { postgres: '23505', sqlite: [2067, 1555] })
}

/**
 * Returns true if a write failed because of a foreign key: the referenced row is missing, or rows refer to the deleted
 * one.
 */
export function isReferenceViolation(error: unknown): boolean {
  return isViolation(error, { postgres: '23503', sqlite: [787] })
}

/** Returns true if PostgreSQL rolled back a transaction because of a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '40P01'
}

function isViolation(error: unknown, codes: { postgres: string; sqlite: readonly number[] }): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return code === codes.postgres || (code === 'ERR_SQLITE_ERROR' && codes.sqlite.includes(Number(errcode)))
}
