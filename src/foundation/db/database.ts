import { join } from 'node:path'
import { Kysely } from 'kysely'
import { readDirectly } from './direct-reads.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { openSqlite } from './sqlite-dialect.ts'
import type { Tables } from './tables.generated.ts'

/** Storage, or a transaction on it: every function that stores takes one as its first argument. */
export type Db = Kysely<Tables>

export type Engine = 'sqlite' | 'postgres'

export interface Database {
  readonly db: Db
  readonly engine: Engine
  close(): Promise<void>
}

export interface DatabaseSettings {
  /** PostgreSQL's connection URL; absent means SQLite in the data directory. */
  readonly url?: string | undefined
  readonly dataDir: string
  readonly maxConnections: number
  /** Told about connections that break while nobody uses them. */
  onError(error: Error): void
}

export function openDatabase({ url, dataDir, maxConnections, onError }: DatabaseSettings): Database {
  if (url === undefined) {
    const { dialect, reads, close } = openSqlite(join(dataDir, 'gatehouse.sqlite'))
    const db = new Kysely<Tables>({ dialect })
    readDirectly(db, reads)
    return { db, engine: 'sqlite', close }
  }
  const db = new Kysely<Tables>({ dialect: postgresDialect({ url, maxConnections, onError }) })
  return { db, engine: 'postgres', close: () => db.destroy() }
}

/** Whether a write failed because the same thing exists already, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  return isViolation(error, { postgres: '23505', sqlite: [2067, 1555] })
}

/** Whether a write failed because a row it refers to is not there, or because others refer to the one it deletes. */
export function isReferenceViolation(error: unknown): boolean {
  return isViolation(error, { postgres: '23503', sqlite: [787] })
}

/** Whether PostgreSQL ended a transaction because it and others waited for each other: nothing of it was done. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '40P01'
}

function isViolation(error: unknown, codes: { postgres: string; sqlite: readonly number[] }): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return code === codes.postgres || (code === 'ERR_SQLITE_ERROR' && codes.sqlite.includes(Number(errcode)))
}
