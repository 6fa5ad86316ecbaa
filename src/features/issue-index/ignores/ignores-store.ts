import type { Db } from '#foundation/db/database.ts'
import type { IgnoreRow } from './ignored-store.ts'

const ROWS_OF_STATEMENT = 200

/** Stores ignores. An existing ignore with the same path keeps its id and creation time. The project must be locked. */
export async function saveIgnores(tx: Db, rows: readonly IgnoreRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_OF_STATEMENT) {
    await tx
      .insertInto('ignores')
      .values(rows.slice(from, from + ROWS_OF_STATEMENT))
      .onConflict((conflict) =>
        conflict.columns(['project_number', 'issue_id', 'path', 'source']).doUpdateSet(({ ref }) => ({
          org_id: ref('excluded.org_id'),
          reason: ref('excluded.reason'),
          reason_type: ref('excluded.reason_type'),
          disregard_if_fixable: ref('excluded.disregard_if_fixable'),
          expires_at: ref('excluded.expires_at'),
          known_as: ref('excluded.known_as'),
          effect: ref('excluded.effect'),
          ignored_by_id: ref('excluded.ignored_by_id'),
          ignored_by_name: ref('excluded.ignored_by_name'),
          ignored_by_email: ref('excluded.ignored_by_email'),
          updated_at: ref('excluded.updated_at'),
        })),
      )
      .execute()
  }
}

/** Compares all columns except the time of the last change: scripts and tests often store unchanged ignores. */
export function isSameIgnore(a: IgnoreRow, b: IgnoreRow): boolean {
  return (Object.keys(a) as (keyof IgnoreRow)[]).every((name) => name === 'updated_at' || a[name] === b[name])
}

export async function deleteIgnores(tx: Db, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += ROWS_OF_STATEMENT) {
    await tx
      .deleteFrom('ignores')
      .where('id', 'in', ids.slice(from, from + ROWS_OF_STATEMENT))
      .execute()
  }
}
