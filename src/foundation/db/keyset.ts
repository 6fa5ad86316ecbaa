import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'

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

/**
 * Reads one page of `query` by keyset: rows inserted or deleted between two pages make neither gaps nor repeats.
 * `query` must not be ordered or limited yet.
 */
export async function readPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  keyset: Keyset<Row>,
  window: Window,
): Promise<Page<Row>> {
  const forward = window.direction === 'after'
  const ascending = (keyset.order ?? 'asc') === 'asc'
  const found = await part(query, keyset, window.position, forward === ascending ? '>' : '<')
    .limit(window.limit + 1)
    .execute()
  const kept = found.slice(0, window.limit)
  const rows = forward ? kept : kept.reverse()
  const more = found.length > window.limit
  const beyond = await hasRowsBeyond(query, keyset, { rows, window })
  return { rows, hasNext: forward ? more : beyond, hasPrevious: forward ? beyond : more }
}

/** Whether anything lies on the side the window came from. */
async function hasRowsBeyond<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  keyset: Keyset<Row>,
  { rows, window }: { rows: readonly Row[]; window: Window },
): Promise<boolean> {
  if (typeof window.position === 'string') return false
  const forward = window.direction === 'after'
  const edge = rows.at(forward ? 0 : -1)
  // Without a row on this page the position itself may still be one on the other side.
  const from = edge === undefined ? window.position : keyset.position(edge)
  const ascending = (keyset.order ?? 'asc') === 'asc'
  const operator = edge === undefined ? (forward === ascending ? '<=' : '>=') : forward === ascending ? '<' : '>'
  return (await part(query, keyset, from, operator).limit(1).execute()).length > 0
}

function part<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  keyset: Keyset<Row>,
  position: Position,
  operator: '<' | '<=' | '>' | '>=',
): SelectQueryBuilder<DB, TB, Row> {
  const direction = operator.startsWith('>') ? sql`asc` : sql`desc`
  const order = sql.join(keyset.columns.map((column) => sql`${sql.ref(column)} ${direction}`))
  const ordered = query.orderBy(order as RawBuilder<unknown>)
  if (typeof position === 'string') return ordered
  const columns = sql.join(keyset.columns.map((column) => sql.ref(column)))
  return ordered.where(sql<boolean>`(${columns}) ${sql.raw(operator)} (${sql.join([...position])})`)
}
