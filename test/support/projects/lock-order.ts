import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'

/** Has PostgreSQL plan a transaction as it does at size. */
async function planAsAtSize(tx: Db): Promise<void> {
  for (const way of ['seqscan', 'bitmapscan']) await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(tx)
}

/**
 * Runs a change while another transaction has the first of its rows and goes on to the others: what locks rows in that
 * order has none of them yet; anything else would be a deadlock, which PostgreSQL ends.
 */
export async function changeBehind(
  db: Db,
  { table, column, values }: { table: string; column: string; values: readonly (string | number)[] },
  change: (tx: Db) => Promise<unknown>,
): Promise<void> {
  const touch = (tx: Db, value: string | number) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} where ${sql.ref(column)} = ${value}`.execute(
      tx,
    )
  let changed: Promise<unknown> | undefined
  await db.transaction().execute(async (tx) => {
    await touch(tx, values[0]!)
    changed = db.transaction().execute(async (other) => {
      await planAsAtSize(other)
      await change(other)
    })
    let isSettled = false
    // The outcome is awaited below.
    changed
      .catch(() => {})
      .finally(() => {
        isSettled = true
      })
    while (!isSettled && !(await isLockAwaited(db))) await sleep(10)
    for (const value of values.slice(1)) await touch(tx, value)
  })
  await changed
}

/** Returns true if a statement waits for a lock of another transaction. PostgreSQL only. */
export async function isLockAwaited(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length > 0
}
