import { type Static, Type } from 'typebox'
import { dueDescription, IssueAssignee, toAssignee } from '#features/issue-index/triage/assignee-resource.ts'
import { type SlaDays, toDay, writeDay } from '#features/issue-index/triage/due-days.ts'
import type { StoredSla } from '#features/issue-index/triage/sla-store.ts'
import { toUuid } from '#foundation/digest-uuid.ts'
import { bodyOf, changeOf, resource, Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { proseText } from '#foundation/http/text.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { CommentRow } from './comments-store.ts'
import type { TriagedIssue } from './triage.ts'

const strict = { additionalProperties: false } as const
const Day = Type.String({ format: 'date' })
const scopes = ['project', 'repository'] as const
export const MAX_COMMENT_LENGTH = 5_000

export const IssueTriage = resource(
  'issue_triage',
  Type.Object({
    issue_id: Type.String({ description: 'Current id of the vulnerability' }),
    assignee: Type.Union([IssueAssignee, Type.Null()]),
    due_on: Type.Union([Day, Type.Null()], { description: dueDescription }),
    policy_due_on: Type.Union([Day, Type.Null()], { description: 'Day by the SLA policy alone' }),
    is_overdue: Type.Boolean(),
    own: Type.Object(
      { assignee_id: Type.Union([Uuid, Type.Null()]), due_on: Type.Union([Day, Type.Null()]) },
      { description: 'Set here. Without it, a project shows what is set for its repository' },
    ),
    comments: Type.Integer({ description: 'Number of comments' }),
    repository: Type.Object({ id: Uuid, name: Type.String() }, { description: 'The target' }),
    is_editable: Type.Boolean({ description: 'True if the caller may change it and comment on it' }),
  }),
)

const ChangedAttributes = Type.Object(
  {
    assignee_id: Type.Optional(
      Type.Union([Uuid, Type.Null()], { description: 'A member of the organization; null for none' }),
    ),
    due_on: Type.Optional(Type.Union([Day, Type.Null()], { description: 'Null for the day of the SLA policy' })),
  },
  { ...strict, minProperties: 1 },
)
export const ChangedTriage = changeOf('issue_triage', ChangedAttributes)

export const IssueComment = resource(
  'issue_comment',
  Type.Object({
    issue_id: Type.String(),
    scope: Type.Enum([...scopes], { description: 'repository: shown in all of its projects' }),
    body: Type.String({ description: 'Plain text' }),
    author: Type.Object({ id: Uuid, name: Type.String() }),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)

const CommentAttributes = Type.Object(
  { body: { ...proseText(MAX_COMMENT_LENGTH, 'Plain text'), minLength: 1 } },
  strict,
)
export const NewComment = bodyOf('issue_comment', CommentAttributes)
export const ChangedComment = changeOf('issue_comment', CommentAttributes)

const Days = (description: string) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Type.Null()], { description })

const slaMembers = {
  critical_days: Days('Days until a critical vulnerability must be fixed; null for no due date'),
  high_days: Days('The same for severity high'),
  medium_days: Days('The same for severity medium'),
  low_days: Days('The same for severity low'),
  exploited_days: Days('Maximum number of days for a vulnerability that is known to be exploited; null for no other'),
}

export const SlaPolicy = resource(
  'sla_policy',
  Type.Object({
    ...slaMembers,
    updated_at: Type.Union([Timestamp, Type.Null()], { description: 'Null if the policy was never changed' }),
  }),
)

const ChangedSla = Type.Partial(Type.Object(slaMembers), { ...strict, minProperties: 1 })
export const ChangedSlaPolicy = changeOf('sla_policy', ChangedSla)

nameSchemas({
  ChangedIssueComment: ChangedComment,
  ChangedIssueTriage: ChangedTriage,
  ChangedSlaPolicy,
  IssueComment,
  IssueTriage,
  NewIssueComment: NewComment,
  SlaPolicy,
})

export function toTriageResource(
  issue: TriagedIssue,
  { now, isEditable }: { now: number; isEditable: boolean },
): Static<typeof IssueTriage> {
  const { placeId, issueId, triage, own, dueDay, policyDueDay, comments, repository } = issue
  const { assignee } = triage
  return {
    id: toUuid([placeId, issueId]),
    type: 'issue_triage',
    attributes: {
      issue_id: issueId,
      assignee: assignee ? toAssignee(assignee) : null,
      due_on: toDate(dueDay),
      policy_due_on: toDate(policyDueDay),
      is_overdue: dueDay !== undefined && dueDay < toDay(now),
      own: { assignee_id: own?.assignee_id ?? null, due_on: toDate(own?.due_day ?? undefined) },
      comments,
      repository,
      is_editable: isEditable,
    },
  }
}

function toDate(day: number | undefined): string | null {
  return day === undefined ? null : writeDay(day)
}

export function toCommentResource(row: CommentRow): Static<typeof IssueComment> {
  return {
    id: row.id,
    type: 'issue_comment',
    attributes: {
      issue_id: row.issue_id,
      scope: row.project_number === null ? 'repository' : 'project',
      body: row.body,
      author: { id: row.author_id, name: row.author_name },
      created_at: toTimestamp(Number(row.created_at)),
      updated_at: toTimestamp(Number(row.updated_at)),
    },
  }
}

export function toSlaAttributes({ critical, high, medium, low, exploited }: SlaDays) {
  return {
    critical_days: critical,
    high_days: high,
    medium_days: medium,
    low_days: low,
    exploited_days: exploited,
  }
}

export function toSlaResource(orgId: string, sla: StoredSla): Static<typeof SlaPolicy> {
  const updated_at = sla.updatedAt === null ? null : toTimestamp(sla.updatedAt)
  return { id: orgId, type: 'sla_policy', attributes: { ...toSlaAttributes(sla), updated_at } }
}

export function toSlaDays(
  { critical, high, medium, low, exploited }: SlaDays,
  changed: Static<typeof ChangedSla>,
): SlaDays {
  const { critical_days = critical, high_days = high, medium_days = medium, low_days = low } = changed
  const { exploited_days = exploited } = changed
  return { critical: critical_days, high: high_days, medium: medium_days, low: low_days, exploited: exploited_days }
}
