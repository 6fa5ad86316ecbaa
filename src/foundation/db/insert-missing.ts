import { type Insertable, type RawBuilder, sql } from 'kysely'
import { createSlices } from '#foundation/slices.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.generated.ts'

/** PostgreSQL accepts 65,535 parameters per statement. */
const ROWS = 400

/** Inserts the rows whose keys do not exist yet, in slices, so that other requests continue. */
export async function insertMissing<Table extends keyof Tables>(
  tx: Db,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
): Promise<void> {
  const pause = createSlices()
  for (let at = 0; at < rows.length; at += ROWS) {
    await pause()
    await tx
      .insertInto(table)
      .values(rows.slice(at, at + ROWS) as never)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Returns the columns of the inserted row for `doUpdateSet`, except the kept ones. */
export function excludedOf(row: object, kept: readonly string[]): Record<string, RawBuilder<never>> {
  const names = Object.keys(row).filter((name) => !kept.includes(name))
  return Object.fromEntries(names.map((name) => [name, sql<never>`${sql.ref(`excluded.${name}`)}`]))
}
