import type { Selectable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { ofPlace, type TriagePlace } from './place-store.ts'

export type TriagedRow = Selectable<Tables['triaged_issues']>

/** Finds what users set for an issue in the place itself. */
export async function findOwn(db: Db, place: TriagePlace, issueId: string): Promise<TriagedRow | undefined> {
  return db
    .selectFrom('triaged_issues')
    .selectAll()
    .where(ofPlace(place))
    .where('issue_id', '=', issueId)
    .executeTakeFirst()
}

/** Stores what users set. The place must be locked. */
export async function saveOwn(tx: Db, row: TriagedRow): Promise<void> {
  const { assignee_id, assignee_name, due_day, updated_at } = row
  const isEmpty = assignee_id === null && due_day === null
  await (isEmpty
    ? tx.deleteFrom('triaged_issues').where('id', '=', row.id).execute()
    : tx
        .insertInto('triaged_issues')
        .values(row)
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet({ assignee_id, assignee_name, due_day, updated_at }),
        )
        .execute())
}

export async function findUserName(db: Db, id: string): Promise<string | undefined> {
  return (await db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirst())?.name
}
