import { type Static, Type } from 'typebox'
import { MAX_ISSUE_ID_BYTES, MAX_PATH_BYTES } from '#analysis/discovery/policy-files/ignore-path.ts'
import { type ReasonType, reasonTypes } from '#analysis/discovery/policy-files/policy-file.ts'
import { severities, toSeverity } from '#analysis/findings/known-issue.ts'
import { type Condition, conditionFields } from '#analysis/findings/policy-conditions.ts'
import { groupFilters } from '#features/issues/groups/group-resource.ts'
import { bodyOf, changeOf, resource, Timestamp } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { nameText, proseText } from '#foundation/http/text.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import { RESTORABLE_DAYS, type StoredPolicy } from './store.ts'

export const actionTypes = ['ignore', 'severity'] as const
export type ActionType = (typeof actionTypes)[number]

const strict = { additionalProperties: false } as const

/** Values of a condition: as many as vulnerabilities of a selection. */
export const MAX_VALUES = 5_000
const MAX_VALUE_LENGTH = Math.max(MAX_ISSUE_ID_BYTES, MAX_PATH_BYTES)
export const MAX_REASON_LENGTH = 5_000

const PolicyCondition = Type.Object(
  {
    field: Type.Enum([...conditionFields], {
      description:
        'vulnerability-id: an id or alias of a vulnerability; package: registry/name or registry/name@range, as npm/lodash@<4.17.21; package-version: a version or range, in the syntax of the registry; path: a dependency path, as for ignores; ecosystem: a registry, as npm; project, target: ids; project-tag: key:value; severity: low, medium, high or critical; fix-available: true or false',
    }),
    operator: Type.Literal('includes'),
    value: Type.Array(Type.String({ minLength: 1, maxLength: MAX_VALUE_LENGTH }), {
      minItems: 1,
      maxItems: MAX_VALUES,
      description: 'Values of which one must match',
    }),
  },
  strict,
)

const ConditionsGroup = Type.Object(
  {
    logical_operator: Type.Literal('and'),
    conditions: Type.Array(PolicyCondition, {
      minItems: 1,
      maxItems: conditionFields.length,
      description: 'Conditions that must all hold, at most one per field',
    }),
  },
  strict,
)

const action = {
  ignore_type: Type.Optional(Type.Enum(reasonTypes, { description: 'Kind of decision; only of ignores' })),
  severity: Type.Optional(
    Type.Enum([...severities], { description: 'The severity that matching issues get; only of changes of severity' }),
  ),
  reason: proseText(MAX_REASON_LENGTH, 'The reason'),
}

const NewAction = Type.Object(
  {
    data: Type.Object(
      {
        ...action,
        expires: Type.Optional(
          Type.String({
            maxLength: 64,
            description: 'Expiry of an ignore: a day, or an ISO 8601 time. Default: never',
          }),
        ),
      },
      strict,
    ),
  },
  strict,
)

const { group_by: _, sort: __, 'meta.totals': ___, ...selectable } = groupFilters
const Selection = Type.Object(
  {
    query: Type.Object(selectable, {
      ...strict,
      description: 'Filters of the list of issue groups by vulnerability',
    }),
  },
  { ...strict, description: 'Instead of conditions: the vulnerabilities that match now, stored as their ids' },
)

const ActionType = Type.Enum([...actionTypes], {
  description:
    'ignore: hides the matching issues; severity: sets their severity, without conditions on projects and paths. Cannot be changed',
})
const Name = nameText(255, 'The name of the policy')

export const Policy = resource(
  'policy',
  Type.Object({
    name: Type.String(),
    action_type: ActionType,
    action: Type.Object({ data: Type.Object({ ...action, expires: Type.Optional(Timestamp) }) }),
    conditions_group: ConditionsGroup,
    source: Type.Enum(['user', 'vex'], { description: 'vex: a statement of an uploaded VEX document' }),
    scope: Type.Enum(['org', 'group'], { description: 'group: applies to all organizations of the group' }),
    created_by: Type.Object({ id: Type.String(), name: Type.String() }),
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted_at: Type.Optional(Timestamp),
    restorable_until: Type.Optional(Timestamp),
    evaluation: Type.Object(
      {
        state: Type.Enum(['running', 'done', 'canceled']),
        done: Type.Integer({ minimum: 0 }),
        total: Type.Integer({ minimum: 0 }),
      },
      {
        description:
          'Evaluation for existing projects, in projects. canceled: the policy was deleted before it was evaluated',
      },
    ),
    hides: Type.Object(
      { issues: Type.Integer({ minimum: 0 }), projects: Type.Integer({ minimum: 0 }) },
      { description: 'What the policy hides now: issues, counted per project, and projects with them' },
    ),
    changes: Type.Optional(
      Type.Object(
        { issues: Type.Integer({ minimum: 0 }), projects: Type.Integer({ minimum: 0 }) },
        { description: 'The issues whose severity the policy sets now, in the same way; absent for ignores' },
      ),
    ),
  }),
)

const ofBoth = { name: Name, action_type: ActionType, action: NewAction }

export const NewPolicy = bodyOf(
  'policy',
  Type.Object(
    { ...ofBoth, conditions_group: Type.Optional(ConditionsGroup), selection: Type.Optional(Selection) },
    strict,
  ),
)

export const ChangedPolicy = changeOf(
  'policy',
  Type.Object(
    {
      name: Type.Optional(Name),
      action_type: Type.Optional(ActionType),
      action: Type.Optional(NewAction),
      conditions_group: Type.Optional(ConditionsGroup),
    },
    { ...strict, minProperties: 1 },
  ),
)

const Count = Type.Integer({ minimum: 0 })

export const Preview = Type.Object({
  vulnerabilities: Count,
  issues: Type.Integer({ minimum: 0, description: 'Open issues that would be hidden or changed, counted per project' }),
  projects: Count,
  severities: Type.Object({ critical: Count, high: Count, medium: Count, low: Count }),
  first: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), severity: Type.String(), projects: Count }), {
    description: 'The worst vulnerabilities, at most 10',
  }),
  is_complete: Type.Boolean({
    description: 'False if paths are among the conditions, which only the evaluation decides: numbers are then limits',
  }),
})

nameSchemas({ IgnorePolicy: Policy, NewPolicy, ChangedPolicy, PolicyCondition, PolicyConditions: ConditionsGroup })
nameSchemas({ PolicyPreview: Preview, PolicySelection: Selection })

export type NewAttributes = Static<typeof NewPolicy>['data']['attributes']
export type ChangedAttributes = Static<typeof ChangedPolicy>['data']['attributes']
export type PolicyPreview = Static<typeof Preview>

export function toResource(row: StoredPolicy): Static<typeof Policy> {
  const { deleted_at } = row
  return {
    id: row.id,
    type: 'policy',
    attributes: {
      name: row.name,
      action_type: row.severity === null ? 'ignore' : 'severity',
      action: toAction(row),
      conditions_group: { logical_operator: 'and', conditions: toConditions(row) },
      source: row.source as 'user' | 'vex',
      scope: row.org_id === null ? 'group' : 'org',
      created_by: { id: row.created_by_id, name: row.created_by_name },
      created_at: toTimestamp(Number(row.created_at)),
      updated_at: toTimestamp(Number(row.updated_at)),
      ...(deleted_at !== null && {
        deleted_at: toTimestamp(Number(deleted_at)),
        restorable_until: toTimestamp(Number(deleted_at) + RESTORABLE_DAYS * 86_400_000),
      }),
      evaluation: row.evaluation,
      hides: row.severity === null ? row.affects : { issues: 0, projects: 0 },
      ...(row.severity !== null && { changes: row.affects }),
    },
  }
}

export function toAction(row: Pick<StoredPolicy, 'reason' | 'reason_type' | 'expires_at' | 'severity'>) {
  if (row.severity !== null) return { data: { severity: toSeverity(Number(row.severity)), reason: row.reason } }
  return {
    data: {
      ignore_type: row.reason_type as ReasonType,
      reason: row.reason,
      ...(row.expires_at !== null && { expires: toTimestamp(Number(row.expires_at)) }),
    },
  }
}

export function toConditions({ conditions }: Pick<StoredPolicy, 'conditions'>) {
  return (JSON.parse(conditions) as Condition[]).map(({ value, ...rest }) => ({ ...rest, value: [...value] }))
}
