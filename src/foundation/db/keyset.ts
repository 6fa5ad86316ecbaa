import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { andThen, type MaybePromise } from '#foundation/maybe-promise.ts'
import type { Db } from './database.ts'
import { findDirectReads } from './direct-reads.ts'
import { createMemory } from './memory.ts'
import { prepared } from './prepared.ts'
import { createTurnReadings } from './turn-readings.ts'

/** A boundary of a page: the sort values of a row, or an end of the list. */
export type Position = readonly (string | number)[] | 'start' | 'end'

/** The requested part of a list: `limit` rows directly before or after a position. */
export interface Window {
  readonly limit: number
  readonly direction: 'after' | 'before'
  readonly position: Position
}

/** One page in list order, and whether more rows exist on either side. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}

/** A list's order: columns whose values together are unique, with the table they come from. */
export interface Keyset<Row> {
  /** Qualified column names such as `orgs.created_at`. */
  readonly columns: readonly string[]
  /** Returns these columns' values of a row. */
  position(row: Row): readonly (string | number)[]
  readonly order?: 'asc' | 'desc'
}

/** Orders the rows of a table by creation, oldest first. */
export function byAge<Row extends { readonly created_at: number; readonly id: string }>(table: string): Keyset<Row> {
  return { columns: [`${table}.created_at`, `${table}.id`], position: ({ created_at, id }) => [created_at, id] }
}

export type Operator = '<' | '<=' | '>' | '>='

/** Reads up to `limit` rows on one side of a position. */
export type ReadPart<Row> = (operator: Operator, position: Position, limit: number) => MaybePromise<Row[]>

/**
 * Reads one page of `query` by keyset: rows inserted or deleted between two pages cause neither gaps nor repeats.
 * `query` must not be ordered or limited yet.
 */
export async function readPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  keyset: Keyset<Row>,
  window: Window,
): Promise<Page<Row>> {
  return readAround(partsOf(query, keyset), keyset, window)
}

/** Returns the reader of a list that one query can produce. */
export function partsOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  keyset: Keyset<Row>,
): ReadPart<Row> {
  return (operator, position, limit) => part(query, keyset, { operator, position }).limit(literal(limit)).execute()
}

const MAX_REMEMBERED_ROWS = 5000

/** Shared by all lists, so that its size does not grow with their number. */
const pages = createMemory<Page<unknown>>({
  maxWeight: MAX_REMEMBERED_ROWS,
  weightOf: ({ rows }) => rows.length + 1,
})

const askWithOthers = createTurnReadings<Page<unknown>>()

let lists = 0

/**
 * Like `readPage`, for a list that is always read by one query: its texts are built once (prepared.ts) and its pages
 * are cached (memory.ts).
 */
export function preparedPage<Values extends Readonly<Record<string, unknown>>, DB, TB extends keyof DB, Row>(
  build: (db: Db, values: Values) => SelectQueryBuilder<DB, TB, Row>,
  keyset: Keyset<Row>,
): (db: Db, values: Values, window: Window) => MaybePromise<Page<Row>> {
  const parts = new Map<string, (db: Db, values: Values & Record<string, unknown>) => MaybePromise<Row[]>>()
  const readPart = (db: Db, values: Values): ReadPart<Row> => {
    return (operator, position, limit) => {
      const places = typeof position === 'string' ? [] : position.map((value, at) => [`place${at}`, value] as const)
      const shape = `${operator} ${places.length} ${limit}`
      let read = parts.get(shape)
      if (!read) {
        read = prepared((on: Db, parameters: Values & Record<string, unknown>) => {
          const at = places.length === 0 ? 'start' : places.map(([name]) => parameters[name] as string)
          return part(build(on, parameters), keyset, { operator, position: at }).limit(literal(limit))
        })
        parts.set(shape, read)
      }
      return read(db, { ...values, ...Object.fromEntries(places) })
    }
  }
  return rememberedPage(readPart, () => keyset)
}

/** Like `readPage` with cached pages, for a list read in several ways or with more than one query for a part. */
export function rememberedPage<Values extends object, Row>(
  readPart: (db: Db, values: Values) => ReadPart<Row>,
  keysetOf: (values: Values) => Keyset<Row>,
): (db: Db, values: Values, window: Window) => MaybePromise<Page<Row>> {
  const list = lists++
  return (db, values, window) => {
    const key = JSON.stringify([list, values, window])
    const read = () => readAround(readPart(db, values), keysetOf(values), window)
    if (db.isTransaction) return read()
    const readOnce = () => (findDirectReads(db) ? read() : askWithOthers(db, key, read))
    return pages.recall(db, key, readOnce) as MaybePromise<Page<Row>>
  }
}

function readAround<Row>(read: ReadPart<Row>, keyset: Keyset<Row>, window: Window): MaybePromise<Page<Row>> {
  const forward = window.direction === 'after'
  const ascending = (keyset.order ?? 'asc') === 'asc'
  const isPastEnd = window.position === (forward ? 'end' : 'start')
  const part = isPastEnd ? [] : read(forward === ascending ? '>' : '<', window.position, window.limit + 1)
  return andThen(part, (partRows) => {
    const kept = partRows.slice(0, window.limit)
    const rows = forward ? kept : kept.reverse()
    const more = partRows.length > window.limit
    return andThen(hasRowsBeyond(read, keyset, { rows, window }), (beyond) => ({
      rows,
      hasNext: forward ? more : beyond,
      hasPrevious: forward ? beyond : more,
    }))
  })
}

/** Returns true if rows exist on the side where the window begins. */
function hasRowsBeyond<Row>(
  read: ReadPart<Row>,
  keyset: Keyset<Row>,
  { rows, window }: { rows: readonly Row[]; window: Window },
): MaybePromise<boolean> {
  const forward = window.direction === 'after'
  if (window.position === (forward ? 'start' : 'end')) return false
  const edge = rows.at(forward ? 0 : -1)
  // If this page is empty, the row at the position itself may lie on the other side.
  const from = edge === undefined ? window.position : keyset.position(edge)
  const ascending = (keyset.order ?? 'asc') === 'asc'
  const operator = edge === undefined ? (forward === ascending ? '<=' : '>=') : forward === ascending ? '<' : '>'
  return andThen(read(operator, from, 1), ({ length }) => length > 0)
}

function part<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  keyset: Keyset<Row>,
  { operator, position }: { operator: Operator; position: Position },
): SelectQueryBuilder<DB, TB, Row> {
  const direction = operator.startsWith('>') ? sql`asc` : sql`desc`
  const order = sql.join(keyset.columns.map((column) => sql`${sql.ref(column)} ${direction}`))
  const ordered = query.orderBy(order as RawBuilder<unknown>)
  if (typeof position === 'string') return ordered
  const columns = sql.join(keyset.columns.map((column) => sql.ref(column)))
  return ordered.where(sql<boolean>`(${columns}) ${sql.raw(operator)} (${sql.join([...position])})`)
}

/** Inlines the limit: SQLite would plan the query again for every bound limit, which costs more than running it. */
function literal(limit: number) {
  return sql<number>`${sql.lit(limit)}`
}
