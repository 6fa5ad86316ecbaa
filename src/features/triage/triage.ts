import { randomUUID } from 'node:crypto'
import { parseDay, writeDay } from '#features/issue-index/triage/due-days.ts'
import { findSla } from '#features/issue-index/triage/sla-store.ts'
import {
  findDueDay,
  readTargetTriage,
  readTriage,
  type Triage,
  triageKey,
} from '#features/issue-index/triage/triage-store.ts'
import { isMember } from '#features/projects/store.ts'
import { type OrgChange, recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import { countThread } from './comments-store.ts'
import { findIssue, getIssueId, lockPlace, type TriagePlace } from './place-store.ts'
import { findOwn, findUserName, saveOwn, type TriagedRow } from './store.ts'

/** A vulnerability of a project or repository, with what users set for it. */
export interface TriagedIssue {
  readonly placeId: string
  readonly issueId: string
  readonly triage: Triage
  /** Set for the place itself. */
  readonly own: TriagedRow | undefined
  readonly dueDay: number | undefined
  readonly policyDueDay: number | undefined
  readonly comments: number
  readonly repository: { readonly id: string; readonly name: string }
}

interface InOrg {
  readonly orgId: string
  readonly place: TriagePlace
}

export async function readTriagedIssue(db: Db, { orgId, place }: InOrg, issueId: string): Promise<TriagedIssue> {
  const [issue, sla, triage] = await Promise.all([
    findIssue(db, place, issueId),
    findSla(db, orgId),
    readPlaceTriage(db, { orgId, place }, issueId),
  ])
  const policyDueDay = issue && findDueDay(undefined, sla, issue)
  return {
    placeId: place.id,
    issueId,
    triage,
    own: await findOwn(db, place, issueId),
    dueDay: triage.dueDay ?? policyDueDay,
    policyDueDay,
    comments: await countThread(db, { place, issueId }),
    repository: { id: place.targetId, name: place.targetName },
  }
}

async function readPlaceTriage(db: Db, { orgId, place }: InOrg, issueId: string): Promise<Triage> {
  const { projectNumber, targetId } = place
  if (projectNumber === null) return readTargetTriage(db, orgId, { targetId, issueId })
  const issue = { project_number: projectNumber, issue_id: issueId }
  return (await readTriage(db, orgId, [issue])).get(triageKey(issue)) ?? {}
}

export interface TriageInput {
  /** Null for none; undefined stays. */
  readonly assigneeId?: string | null | undefined
  readonly dueOn?: string | null | undefined
}

export interface IssueReference {
  /** Id of a project or target. */
  readonly id: string
  /** Any id of the vulnerability. */
  readonly issue: string
}

/** Sets assignee and due day of a vulnerability in a place. A change to the present values is not audited. */
export async function changeTriage(
  change: OrgChange,
  { id, issue }: IssueReference,
  input: TriageInput,
): Promise<TriagedIssue> {
  const { tx, org, at } = change
  const place = await lockPlace(tx, { orgId: org.id, id })
  const issueId = await getIssueId(tx, place, issue)
  const before = await findOwn(tx, place, issueId)
  const after: TriagedRow = {
    id: before?.id ?? randomUUID(),
    project_number: place.projectNumber,
    target_id: place.kind === 'target' ? place.targetId : null,
    issue_id: issueId,
    due_day: input.dueOn === undefined ? (before?.due_day ?? null) : parseDue(input.dueOn),
    ...(await chooseAssignee(change, before, input.assigneeId)),
    updated_at: at,
  }
  const former = before ?? { ...after, ...NOBODY, due_day: null }
  const [isReassigned, isMoved] = [former.assignee_id !== after.assignee_id, former.due_day !== after.due_day]
  if (isReassigned || isMoved) {
    await saveOwn(tx, after)
    const toState = (row: TriagedRow) => toAudited(row, { isReassigned, isMoved })
    const states = { before: toState(former), after: toState(after) }
    await recordAudit(change, { id, org }, { action: 'issue_triage.update', kind: place.kind, ...states })
  }
  return readTriagedIssue(tx, { orgId: org.id, place }, issueId)
}

const NOBODY = { assignee_id: null, assignee_name: null }

/** A user who left may stay the assignee, but not become it. */
async function chooseAssignee(
  { tx, org }: OrgChange,
  before: TriagedRow | undefined,
  userId: string | null | undefined,
) {
  const { assignee_id = null, assignee_name = null } = before ?? {}
  if (userId === undefined || userId === assignee_id) return { assignee_id, assignee_name }
  if (userId === null) return NOBODY
  const name = await findUserName(tx, userId)
  if (name === undefined || !(await isMember(tx, { userId, orgId: org.id }))) {
    throw new Problem('unprocessable', 'The assignee must be a member of the organization. Choose a member.', {
      source: { pointer: '/data/attributes/assignee_id' },
    })
  }
  return { assignee_id: userId, assignee_name: name }
}

function parseDue(text: string | null): number | null {
  if (text === null) return null
  const day = parseDay(text)
  if (day !== undefined) return day
  const pointer = '/data/attributes/due_on'
  throw new Problem('invalid-request', `${pointer} must be a day such as 2031-08-29`, { source: { pointer } })
}

/** Returns the changed members. */
function toAudited(
  { issue_id, assignee_id, assignee_name, due_day }: TriagedRow,
  { isReassigned, isMoved }: { isReassigned: boolean; isMoved: boolean },
): object {
  return {
    issue_id,
    ...(isReassigned && { assignee_id, assignee_name }),
    ...(isMoved && { due_on: due_day === null ? null : writeDay(due_day) }),
  }
}
