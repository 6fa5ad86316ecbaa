import type { Db } from '#foundation/db/database.ts'
import { excludedOf } from '#foundation/db/insert-missing.ts'
import { toParts } from '../storage/packages-store.ts'
import type { IgnoreRow } from './ignored-store.ts'

const ROWS_OF_STATEMENT = 200
const KEPT = ['id', 'project_number', 'issue_id', 'path', 'source', 'created_at']

/** Stores ignores. An existing ignore with the same path keeps its id and creation time. The project must be locked. */
export async function saveIgnores(tx: Db, rows: readonly IgnoreRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_OF_STATEMENT) {
    await tx
      .insertInto('ignores')
      .values(rows.slice(from, from + ROWS_OF_STATEMENT))
      .onConflict((conflict) =>
        conflict.columns(['project_number', 'issue_id', 'path', 'source']).doUpdateSet(excludedOf(rows[0]!, KEPT)),
      )
      .execute()
  }
}

/** Compares all columns except the time of the last change: scripts and tests often store unchanged ignores. */
export function isSameIgnore(a: IgnoreRow, b: IgnoreRow): boolean {
  return (Object.keys(a) as (keyof IgnoreRow)[]).every((name) => name === 'updated_at' || a[name] === b[name])
}

export async function deleteIgnores(tx: Db, ids: readonly string[]): Promise<void> {
  for (const part of toParts(ids)) await tx.deleteFrom('ignores').where('id', 'in', part).execute()
}
