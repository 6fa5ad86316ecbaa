import { sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

/** Tables of work that is done in steps: the columns of a row are its key and the progress. */
type ProgressTable = 'unannounced_issues' | 'unevaluated_issues' | 'unjudged_issues'

/** Stores progress; returns false if another process is further or the work began again. */
export function advance<T extends ProgressTable>(
  tx: Db,
  table: T,
  { from, to }: { from: Readonly<Partial<Tables[T]>>; to: Readonly<Partial<Tables[T]>> },
): Promise<boolean> {
  const columns = Object.entries(to).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  return change(tx, sql`update ${sql.table(table)} set ${sql.join(columns)}`, from)
}

/** Completes the work; returns false like `advance`. */
export function complete<T extends ProgressTable>(
  tx: Db,
  table: T,
  from: Readonly<Partial<Tables[T]>>,
): Promise<boolean> {
  return change(tx, sql`delete from ${sql.table(table)}`, from)
}

async function change(tx: Db, statement: ReturnType<typeof sql>, from: object): Promise<boolean> {
  const columns = Object.entries(from).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const { rows } = await sql`${statement} where ${sql.join(columns, sql` and `)} returning issue_id`.execute(tx)
  return rows.length > 0
}
