import { type SelectQueryBuilder, sql } from 'kysely'
import { andThen, type Soon } from '../soon.ts'
import type { Db } from './database.ts'
import { isReadDirectly, prepared, remembered } from './prepared.ts'

/** The keys that wait for the turn's end, and the rows that will be found by them. */
interface Batch<Row> {
  readonly keys: Set<string>
  readonly rows: Promise<ReadonlyMap<string, Row>>
}

/**
 * Finds the row of a unique key that nearly every request brings, such as the digest of a credential. On SQLite it is
 * remembered while nothing is committed (see prepared.ts). PostgreSQL is asked once for all the keys of one turn of the
 * event loop, after all that the turn received has been read: no request is answered with what was there before it came.
 */
export function lookup<DB, TB extends keyof DB, Row>(
  column: string,
  build: (db: Db) => SelectQueryBuilder<DB, TB, Row>,
): (db: Db, key: string) => Soon<Row | undefined> {
  const of = (db: Db, { key }: { key: string }) => build(db).where(sql<boolean>`${sql.ref(column)} = ${key}`)
  const one = remembered(of)
  const many = prepared((db: Db, { keys }: { keys: readonly string[] }) =>
    build(db)
      .select(sql<string>`${sql.ref(column)}`.as('looked_up'))
      .where(sql<boolean>`${sql.ref(column)} = any(${keys})`),
  )
  const batches = new WeakMap<Db, Batch<Row>>()

  function joinBatch(db: Db): Batch<Row> {
    const known = batches.get(db)
    if (known) return known
    const keys = new Set<string>()
    const rows = new Promise<ReadonlyMap<string, Row>>((resolve) => {
      setImmediate(() => {
        // Whoever comes from here on belongs to the next batch, for this one is asked now.
        batches.delete(db)
        resolve(
          andThen(many(db, { keys: [...keys] }), (found) => {
            const all = found as unknown as (Row & { looked_up: string })[]
            return new Map(all.map((row) => [row.looked_up, row]))
          }),
        )
      })
    })
    const batch = { keys, rows }
    batches.set(db, batch)
    return batch
  }

  return (db, key) => {
    if (isReadDirectly(db) || db.isTransaction) return andThen(one(db, { key }), ([row]) => row)
    const { keys, rows } = joinBatch(db)
    keys.add(key)
    return rows.then((found) => found.get(key))
  }
}
