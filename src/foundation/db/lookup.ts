import { type SelectQueryBuilder, sql } from 'kysely'
import { andThen, type MaybePromise } from '#foundation/maybe-promise.ts'
import type { Db } from './database.ts'
import { findDirectReads } from './direct-reads.ts'
import { createMemory } from './memory.ts'
import { MAX_REMEMBERED, prepared } from './prepared.ts'

/**
 * Numbers of keys per query; unused places repeat a key. PostgreSQL caches a plan only for few different texts, and
 * planning a join of six tables takes longer than running it.
 */
const SIZES = [1, 4, 16, 64] as const

/** Keys that wait for the end of the turn, and their rows. */
interface Batch<Row> {
  readonly keys: Set<string>
  readonly rows: Promise<ReadonlyMap<string, Row>>
}

/**
 * Finds the row of a unique key that nearly every request needs, such as the digest of a credential. Cached until the
 * next commit (memory.ts). PostgreSQL is asked once for all keys of an event-loop turn, after all input of that turn
 * was read: no request sees data older than itself.
 */
export function lookup<DB, TB extends keyof DB, Row>(
  column: string,
  build: (db: Db) => SelectQueryBuilder<DB, TB, Row>,
): (db: Db, key: string) => MaybePromise<Row | undefined> {
  const one = prepared((db: Db, { key }: { key: string }) => build(db).where(sql<boolean>`${sql.ref(column)} = ${key}`))
  const memory = createMemory<readonly Row[]>({ maxWeight: MAX_REMEMBERED, weightOf: () => 1 })
  const several = new Map(
    SIZES.map((size) => [
      size,
      prepared((db: Db, keys: Readonly<Record<string, string>>) => {
        const keyList = sql.join(Array.from({ length: size }, (_, n) => sql`${keys[n]}`))
        return build(db)
          .select(sql<string>`${sql.ref(column)}`.as('looked_up'))
          .where(sql<boolean>`${sql.ref(column)} in (${keyList})`)
      }),
    ]),
  )

  async function findAll(db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const most = SIZES.at(-1)!
    const parts = Array.from({ length: Math.ceil(keys.length / most) }, (_, n) => keys.slice(n * most, (n + 1) * most))
    const results = await Promise.all(
      parts.map((part) => {
        const size = SIZES.find((size) => size >= part.length)!
        const filled = Array.from({ length: size }, (_, n) => [n, part[n] ?? part[0]!] as const)
        return several.get(size)!(db, Object.fromEntries(filled))
      }),
    )
    const rows = results.flat() as unknown as (Row & { readonly looked_up: string })[]
    return new Map(rows.map((row) => [row.looked_up, row]))
  }

  const batches = new WeakMap<Db, Batch<Row>>()

  function joinBatch(db: Db): Batch<Row> {
    const existing = batches.get(db)
    if (existing) return existing
    const keys = new Set<string>()
    const rows = new Promise<ReadonlyMap<string, Row>>((resolve) => {
      setImmediate(() => {
        // Later callers belong to the next batch; this one is sent now.
        batches.delete(db)
        resolve(findAll(db, [...keys]))
      })
    })
    const batch = { keys, rows }
    batches.set(db, batch)
    return batch
  }

  function readWithOthers(db: Db, key: string): Promise<readonly Row[]> {
    const { keys, rows } = joinBatch(db)
    keys.add(key)
    return rows.then((rowsByKey) => (rowsByKey.has(key) ? [rowsByKey.get(key)!] : []))
  }

  return (db, key) => {
    const read = () => (findDirectReads(db) || db.isTransaction ? one(db, { key }) : readWithOthers(db, key))
    return andThen(memory.recall(db, key, read), ([row]) => row)
  }
}
