import { PostgresAdapter, sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Locks of whole processes, held until the transaction ends: several may share one, or one has it alone. Their numbers are
 * PostgreSQL's keys (advisory locks, which are granted in the order they are asked for); on SQLite a transaction that
 * writes is alone anyway.
 */
const locks = { 'known-issues': 7_331_001 } as const

export type TransactionLock = keyof typeof locks

export async function shareLock(tx: Db, lock: TransactionLock): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock_shared(${sql.lit(locks[lock])})`.execute(tx)
}

export async function takeLock(tx: Db, lock: TransactionLock): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(${sql.lit(locks[lock])})`.execute(tx)
}

/**
 * Locks the rows that a query finds, in its order, before one statement changes several of them: two transactions that
 * lock the same rows in one order wait for each other, and not for ever. PostgreSQL changes rows in whatever order it
 * finds them; SQLite has one writer.
 */
export async function lockRows(tx: Db, query: { execute(): Promise<unknown> }): Promise<void> {
  if (isPostgres(tx)) await query.execute()
}

export function isPostgres(tx: Db): boolean {
  return tx.getExecutor().adapter instanceof PostgresAdapter
}
