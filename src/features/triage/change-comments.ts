import { type OrgChange, recordAudit } from '#foundation/audit/record.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import { createTimeOrderedIds } from '#foundation/time-ordered-id.ts'
import {
  type CommentRow,
  countOwn,
  deleteComment,
  getComment,
  insertComment,
  type PlacedComment,
  saveComment,
} from './comments-store.ts'
import { getIssueId, lockPlace } from './place-store.ts'
import type { IssueReference } from './triage.ts'

export const MAX_COMMENTS = 200

const newId = createTimeOrderedIds()

export async function addComment(change: OrgChange, { id, issue }: IssueReference, body: string): Promise<CommentRow> {
  const { tx, org, actor, at } = change
  const text = requireText(body)
  const place = await lockPlace(tx, { orgId: org.id, id })
  const issueId = await getIssueId(tx, place, issue)
  if ((await countOwn(tx, { place, issueId })) >= MAX_COMMENTS) {
    throw new Problem('unprocessable', `An issue can have at most ${MAX_COMMENTS} comments. Delete some first.`)
  }
  const row = {
    id: newId(at),
    project_number: place.projectNumber,
    target_id: place.kind === 'target' ? place.targetId : null,
    issue_id: issueId,
    author_id: actor.id!,
    author_name: actor.name,
    body: text,
    created_at: at,
    updated_at: at,
  }
  await insertComment(tx, row)
  const after = { issue_id: issueId, comment_id: row.id, body: text }
  await recordAudit(change, { id, org }, { action: 'issue_comment.create', kind: place.kind, after })
  return row
}

export async function editComment(change: OrgChange, id: string, body: string): Promise<CommentRow> {
  const { tx, at } = change
  const text = requireText(body)
  const comment = await getOwnComment(change, id)
  if (comment.body === text) return comment
  await saveComment(tx, id, { body: text, at })
  await audit(change, comment, { action: 'issue_comment.update', body: text })
  return { ...comment, body: text, updated_at: at }
}

export async function removeComment(change: OrgChange, id: string): Promise<void> {
  const comment = await getOwnComment(change, id)
  if (!(await deleteComment(change.tx, id))) throw notFound(`Comment ${id}`)
  await audit(change, comment, { action: 'issue_comment.delete', body: undefined })
}

async function getOwnComment({ tx, org, actor }: OrgChange, id: string): Promise<PlacedComment> {
  const comment = await getComment(tx, org.id, id)
  if (comment.author_id !== actor.id) throw new Problem('forbidden', 'Only its author can change a comment.')
  return comment
}

function audit(
  change: OrgChange,
  { id, issue_id, body: before, place_kind: kind, place_id }: PlacedComment,
  { action, body }: { action: 'issue_comment.update' | 'issue_comment.delete'; body: string | undefined },
): Promise<void> {
  const toState = (text: string) => ({ issue_id, comment_id: id, body: text })
  const states = { before: toState(before), ...(body !== undefined && { after: toState(body) }) }
  return recordAudit(change, { id: place_id, org: change.org }, { action, kind, ...states })
}

function requireText(body: string): string {
  if (body.trim() !== '') return body.trim()
  const pointer = '/data/attributes/body'
  throw new Problem('invalid-request', `${pointer} must not be empty`, { source: { pointer } })
}
