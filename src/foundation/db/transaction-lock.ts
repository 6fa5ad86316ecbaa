import { PostgresAdapter, sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Locks across processes, shared or exclusive, until the transaction ends. The numbers are keys of PostgreSQL's
 * advisory locks, which are granted in order of request. On SQLite a writing transaction is exclusive anyway.
 */
const locks = { 'known-issues': 7_331_001, migrations: 7_331_002 } as const

export type TransactionLock = keyof typeof locks

export async function shareLock(tx: Db, lock: TransactionLock): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock_shared(${sql.lit(locks[lock])})`.execute(tx)
}

export async function takeLock(tx: Db, lock: TransactionLock): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(${sql.lit(locks[lock])})`.execute(tx)
}

/**
 * Locks the rows of a query in its order before a statement changes several of them, to prevent deadlocks: PostgreSQL
 * changes rows in any order. SQLite has one writer.
 */
export async function lockRows(tx: Db, query: { execute(): Promise<unknown> }): Promise<void> {
  if (isPostgres(tx)) await query.execute()
}

export function isPostgres(tx: Db): boolean {
  return tx.getExecutor().adapter instanceof PostgresAdapter
}
