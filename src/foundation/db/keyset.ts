import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { andThen, type Soon } from '../soon.ts'
import type { Db } from './database.ts'
import { findDirectReads } from './direct-reads.ts'
import { createMemory } from './memory.ts'
import { prepared } from './prepared.ts'
import { createTurnReadings } from './turn-readings.ts'

/** Where a page begins or ends: the sort values of a row, or an end of the list. */
export type Position = readonly (string | number)[] | 'start' | 'end'

/** Which part of a list is wanted: the `limit` rows right after or right before a position. */
export interface Window {
  readonly limit: number
  readonly direction: 'after' | 'before'
  readonly position: Position
}

/** One page, in list order, and whether the list goes on at either side. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}

/** A list's order: columns whose values together are unique, with the table they come from. */
export interface Keyset<Row> {
  /** Qualified column names, e.g. `orgs.created_at`. */
  readonly columns: readonly string[]
  /** The same values of a row that was read. */
  position(row: Row): readonly (string | number)[]
  readonly order?: 'asc' | 'desc'
}

export type Operator = '<' | '<=' | '>' | '>='

/** Reads up to `limit` rows on one side of a position. */
export type ReadPart<Row> = (operator: Operator, position: Position, limit: number) => Soon<Row[]>

/**
 * Reads one page of `query` by keyset: rows inserted or deleted between two pages make neither gaps nor repeats.
 * `query` must not be ordered or limited yet.
 */
export async function readPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  keyset: Keyset<Row>,
  window: Window,
): Promise<Page<Row>> {
  return readAround(partsOf(query, keyset), keyset, window)
}

/** How the parts of a list are read that one query makes. */
export function partsOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  keyset: Keyset<Row>,
): ReadPart<Row> {
  return (operator, position, limit) => part(query, keyset, { operator, position }).limit(literal(limit)).execute()
}

const MAX_REMEMBERED_ROWS = 5000

/** One memory for all lists: what it may hold does not grow with their number. */
const pages = createMemory<Page<unknown>>({
  maxWeight: MAX_REMEMBERED_ROWS,
  weightOf: ({ rows }) => rows.length + 1,
})

const askWithOthers = createTurnReadings<Page<unknown>>()

let lists = 0

/**
 * The same for a list that is always read by one query, whose texts are made once (see prepared.ts). Its pages are
 * remembered (see memory.ts).
 */
export function preparedPage<Values extends Readonly<Record<string, unknown>>, DB, TB extends keyof DB, Row>(
  build: (db: Db, values: Values) => SelectQueryBuilder<DB, TB, Row>,
  keyset: Keyset<Row>,
): (db: Db, values: Values, window: Window) => Soon<Page<Row>> {
  const parts = new Map<string, (db: Db, values: Values & Record<string, unknown>) => Soon<Row[]>>()
  const readPart = (db: Db, values: Values): ReadPart<Row> => {
    return (operator, position, limit) => {
      const places = typeof position === 'string' ? [] : position.map((value, at) => [`place${at}`, value] as const)
      const shape = `${operator} ${places.length} ${limit}`
      let read = parts.get(shape)
      if (!read) {
        read = prepared((on: Db, given: Values & Record<string, unknown>) => {
          const at = places.length === 0 ? 'start' : places.map(([name]) => given[name] as string)
          return part(build(on, given), keyset, { operator, position: at }).limit(literal(limit))
        })
        parts.set(shape, read)
      }
      return read(db, { ...values, ...Object.fromEntries(places) })
    }
  }
  return rememberedPage(readPart, () => keyset)
}

/** The same for a list that is read in many ways, or of which a part takes more than one query. */
export function rememberedPage<Values extends object, Row>(
  readPart: (db: Db, values: Values) => ReadPart<Row>,
  keysetOf: (values: Values) => Keyset<Row>,
): (db: Db, values: Values, window: Window) => Soon<Page<Row>> {
  const list = lists++
  return (db, values, window) => {
    const key = JSON.stringify([list, values, window])
    const read = () => readAround(readPart(db, values), keysetOf(values), window)
    if (findDirectReads(db) || db.isTransaction) return pages.recall(db, key, read) as Soon<Page<Row>>
    return askWithOthers(db, key, read) as Promise<Page<Row>>
  }
}

function readAround<Row>(read: ReadPart<Row>, keyset: Keyset<Row>, window: Window): Soon<Page<Row>> {
  const forward = window.direction === 'after'
  const ascending = (keyset.order ?? 'asc') === 'asc'
  return andThen(read(forward === ascending ? '>' : '<', window.position, window.limit + 1), (found) => {
    const kept = found.slice(0, window.limit)
    const rows = forward ? kept : kept.reverse()
    const more = found.length > window.limit
    return andThen(hasRowsBeyond(read, keyset, { rows, window }), (beyond) => ({
      rows,
      hasNext: forward ? more : beyond,
      hasPrevious: forward ? beyond : more,
    }))
  })
}

/** Whether anything lies on the side the window came from. */
function hasRowsBeyond<Row>(
  read: ReadPart<Row>,
  keyset: Keyset<Row>,
  { rows, window }: { rows: readonly Row[]; window: Window },
): Soon<boolean> {
  if (typeof window.position === 'string') return false
  const forward = window.direction === 'after'
  const edge = rows.at(forward ? 0 : -1)
  // Without a row on this page the position itself may still be one on the other side.
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

/** In the text, not bound: SQLite would plan the query anew for every bound limit, which costs more than running it. */
function literal(limit: number) {
  return sql<number>`${sql.lit(limit)}`
}
