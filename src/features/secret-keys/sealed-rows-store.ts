import { sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'

const PAGE_ROWS = 200

export type Row = Readonly<Record<string, unknown>>

/** Lists rows with a value after the given one, ordered by their keys. */
export async function listRows(db: Db, { table, key, column, beside = [] }: SealedPlace, after?: Row): Promise<Row[]> {
  const keys = sql.join(key.map((name) => sql.ref(name)))
  const columns = sql.join([...key, ...beside, column].map((name) => sql.ref(name)))
  const later = after && sql`and (${keys}) > (${sql.join(key.map((name) => after[name]))})`
  const { rows } = await sql<Row>`
    select ${columns} from ${sql.table(table)}
    where ${sql.ref(column)} is not null ${later ?? sql``} order by ${keys} limit ${PAGE_ROWS}`.execute(db)
  return rows
}

/** Replaces a value unless it has changed since the row was read. */
export async function replaceValue(
  db: Db,
  { table, key, column }: SealedPlace,
  { row, value }: { row: Row; value: Uint8Array | string },
): Promise<void> {
  const isRow = sql.join(
    [...key, column].map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  )
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where ${isRow}`.execute(db)
}
