import { type Body, call, callData, type Data } from './client.ts'
import { listAll } from './places.ts'

/** A vulnerability in a project, or in all projects of a repository. */
export interface TriageScope {
  readonly orgId: string
  /** Id of the project or target. */
  readonly id: string
  readonly issueId: string
}

export type Triage = Data<'getTriage'>
export type TriageChange = Body<'updateTriage'>['data']['attributes']
export type Comment = Data<'listComments'>[number]
export type SlaPolicy = Data<'getSlaPolicy'>
export type SlaDays = Body<'updateSlaPolicy'>['data']['attributes']

export function readTriage(scope: TriageScope): Promise<Triage> {
  return callData('getTriage', { params: paramsOf(scope) })
}

export async function changeTriage(scope: TriageScope, attributes: TriageChange): Promise<void> {
  await call('updateTriage', { params: paramsOf(scope), body: { data: { type: 'issue_triage', attributes } } })
}

export function listComments(scope: TriageScope): Promise<readonly Comment[]> {
  return listAll((starting_after) =>
    call('listComments', { params: paramsOf(scope), query: { limit: 100, starting_after } }),
  )
}

export async function addComment(scope: TriageScope, text: string, idempotencyKey: string): Promise<void> {
  await call('createComment', { params: paramsOf(scope), body: commentBody(text), idempotencyKey })
}

export async function editComment(orgId: string, id: string, text: string): Promise<void> {
  await call('updateComment', { params: { org_id: orgId, comment_id: id }, body: commentBody(text) })
}

export async function deleteComment(orgId: string, id: string): Promise<void> {
  await call('deleteComment', { params: { org_id: orgId, comment_id: id } })
}

function commentBody(body: string) {
  return { data: { type: 'issue_comment', attributes: { body } } } as const
}

function paramsOf({ orgId, id, issueId }: TriageScope) {
  return { org_id: orgId, place_id: id, issue_id: issueId }
}
