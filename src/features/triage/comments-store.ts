import { type Selectable, sql } from 'kysely'
import { countRows } from '#foundation/db/count-rows.ts'
import type { Db } from '#foundation/db/database.ts'
import { byAge, type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { notFound } from '#foundation/problem.ts'
import { ofPlace, type TriagePlace } from './place-store.ts'

export type CommentRow = Selectable<Tables['issue_comments']>

export const commentsByAge: Keyset<CommentRow> = byAge('issue_comments')

interface Thread {
  readonly place: TriagePlace
  readonly issueId: string
}

/** The comments on an issue; for a project those of its repository, too. */
function ofThread(db: Db, { place, issueId }: Thread) {
  const { projectNumber, targetId } = place
  return db
    .selectFrom('issue_comments')
    .where('issue_id', '=', issueId)
    .where(sql<boolean>`(target_id = ${targetId} or project_number = ${projectNumber})`)
}

export async function listComments(db: Db, thread: Thread, window: Window): Promise<Page<CommentRow>> {
  return readPage(ofThread(db, thread).selectAll(), commentsByAge, window)
}

export async function countThread(db: Db, thread: Thread): Promise<number> {
  return countRows(ofThread(db, thread))
}

/** Counts the comments of the place itself. */
export async function countOwn(db: Db, { place, issueId }: Thread): Promise<number> {
  return countRows(db.selectFrom('issue_comments').where(ofPlace(place)).where('issue_id', '=', issueId))
}

export async function insertComment(tx: Db, row: CommentRow): Promise<void> {
  await tx.insertInto('issue_comments').values(row).execute()
}

export interface PlacedComment extends CommentRow {
  readonly place_kind: TriagePlace['kind']
  readonly place_id: string
}

/** Finds a comment of an organization with its place. A change locks the row. */
export async function getComment(db: Db, orgId: string, id: string): Promise<PlacedComment> {
  const { rows } = await sql<PlacedComment>`
    select c.*, case when p.id is null then 'target' else 'project' end as place_kind, coalesce(p.id, t.id) as place_id
    from issue_comments c
    left join projects p on p.number = c.project_number
    left join targets t on t.id = c.target_id
    where c.id = ${id} and coalesce(p.org_id, t.org_id) = ${orgId}`.execute(db)
  if (!rows[0]) throw notFound(`Comment ${id}`)
  return rows[0]
}

export async function saveComment(tx: Db, id: string, { body, at }: { body: string; at: number }): Promise<void> {
  await tx.updateTable('issue_comments').set({ body, updated_at: at }).where('id', '=', id).execute()
}

/** Returns false if it was deleted meanwhile. */
export async function deleteComment(tx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('issue_comments').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
