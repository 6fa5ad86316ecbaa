import { type SelectQueryBuilder, sql } from 'kysely'
import { andThen, type Soon } from '../soon.ts'
import type { Db } from './database.ts'
import { findDirectReads } from './direct-reads.ts'
import { prepared, remembered } from './prepared.ts'

/**
 * How many keys one query takes; with fewer, some are named twice. PostgreSQL keeps the plan of a text whose cost does not
 * depend on its values, as that of `= any(array)` does: planning a join of six tables anew takes longer than running it.
 */
const SIZES = [1, 4, 16, 64] as const

/** The keys that wait for the turn's end, and the rows that will be found by them. */
interface Batch<Row> {
  readonly keys: Set<string>
  readonly rows: Promise<ReadonlyMap<string, Row>>
}

/**
 * Finds the row of a unique key that nearly every request brings, such as the digest of a credential. On SQLite it is
 * remembered while nothing is committed (see prepared.ts). PostgreSQL is asked at once for all the keys of one turn of the
 * event loop, after all that the turn received has been read: no request is answered with what was there before it came.
 */
export function lookup<DB, TB extends keyof DB, Row>(
  column: string,
  build: (db: Db) => SelectQueryBuilder<DB, TB, Row>,
): (db: Db, key: string) => Soon<Row | undefined> {
  const one = remembered((db: Db, { key }: { key: string }) =>
    build(db).where(sql<boolean>`${sql.ref(column)} = ${key}`),
  )
  const several = new Map(
    SIZES.map((size) => [
      size,
      prepared((db: Db, keys: Readonly<Record<string, string>>) => {
        const wanted = sql.join(Array.from({ length: size }, (_, n) => sql`${keys[n]}`))
        return build(db)
          .select(sql<string>`${sql.ref(column)}`.as('looked_up'))
          .where(sql<boolean>`${sql.ref(column)} in (${wanted})`)
      }),
    ]),
  )

  async function findAll(db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const most = SIZES.at(-1)!
    const parts = Array.from({ length: Math.ceil(keys.length / most) }, (_, n) => keys.slice(n * most, (n + 1) * most))
    const found = await Promise.all(
      parts.map((part) => {
        const size = SIZES.find((each) => each >= part.length)!
        const filled = Array.from({ length: size }, (_, n) => [n, part[n] ?? part[0]!] as const)
        return several.get(size)!(db, Object.fromEntries(filled))
      }),
    )
    const rows = found.flat() as unknown as (Row & { readonly looked_up: string })[]
    return new Map(rows.map((row) => [row.looked_up, row]))
  }

  const batches = new WeakMap<Db, Batch<Row>>()

  function joinBatch(db: Db): Batch<Row> {
    const known = batches.get(db)
    if (known) return known
    const keys = new Set<string>()
    const rows = new Promise<ReadonlyMap<string, Row>>((resolve) => {
      setImmediate(() => {
        // Whoever comes from here on belongs to the next batch, for this one is asked now.
        batches.delete(db)
        resolve(findAll(db, [...keys]))
      })
    })
    const batch = { keys, rows }
    batches.set(db, batch)
    return batch
  }

  return (db, key) => {
    if (findDirectReads(db) || db.isTransaction) return andThen(one(db, { key }), ([row]) => row)
    const { keys, rows } = joinBatch(db)
    keys.add(key)
    return rows.then((found) => found.get(key))
  }
}
