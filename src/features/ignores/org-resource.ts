import { type Static, Type } from 'typebox'
import { type ReasonType, reasonTypes } from '#analysis/discovery/policy-files/policy-file.ts'
import type { IgnoreSource } from '#features/issue-index/ignores/ignored-store.ts'
import { resource, Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import { IssueId } from './resource.ts'
import type { IgnoreFilters, OrgIgnoreRow } from './store.ts'

const staleReasons = {
  expired: 'it has expired',
  'issue-gone': 'the project has no such issue',
  'path-gone': 'no dependency path matches',
  fixable: 'it excludes fixable issues, and every matching path is fixable',
} as const

type StaleReason = keyof typeof staleReasons

const meanings = Object.entries(staleReasons).map(([reason, meaning]) => `${reason}: ${meaning}`)

const ignoreSources: IgnoreSource[] = ['user', 'repository']

const { properties } = resource(
  'ignore',
  Type.Object({
    issue_id: Type.String({ description: 'Id of the issue when it was ignored' }),
    current_issue_id: Type.String({
      description: 'Current id of the issue in the project; differs if the issue is now known under another id',
    }),
    path: Type.String({
      description: 'Packages of a dependency path, starting with the direct dependency; * for all paths',
    }),
    reason: Type.String(),
    reason_type: Type.Enum(reasonTypes),
    disregard_if_fixable: Type.Boolean(),
    expires_at: Type.Union([Timestamp, Type.Null()]),
    stale_because: Type.Union([Type.Enum(Object.keys(staleReasons) as StaleReason[]), Type.Null()], {
      description: `Reason for having no effect; null if it has one. ${meanings.join('; ')}`,
    }),
    source: Type.Enum(ignoreSources, {
      description: 'repository: from a policy file in the repository, updated when that file changes',
    }),
    ignored_by: Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() }),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)

export const Ignore = Type.Object({
  ...properties,
  relationships: Type.Object({
    project: Type.Object({
      data: Type.Object({
        id: Uuid,
        type: Type.Literal('project'),
        attributes: Type.Object({ name: Type.String() }),
      }),
    }),
  }),
})

nameSchemas({ Ignore })

export const ignoreFilters = {
  state: Type.Optional(
    Type.Enum(['active', 'stale', 'expired'], {
      description: 'active: with an effect; stale: without an effect, for any reason; expired: past their expiry',
    }),
  ),
  project_id: Type.Optional({ ...Uuid, description: 'Only ignores of this project' }),
  source: Type.Optional(
    Type.Enum(ignoreSources, { description: 'Only ignores of users, or only those of policy files' }),
  ),
  issue_id: Type.Optional({ ...IssueId, description: 'Only ignores of this issue, in all projects' }),
}

interface FilterQuery {
  readonly state?: 'active' | 'stale' | 'expired'
  readonly source?: IgnoreSource
  readonly project_id?: string
  readonly issue_id?: string
}

export function toFilters({ state, source, project_id, issue_id }: FilterQuery, now: number): IgnoreFilters {
  return { state, source, projectId: project_id?.toLowerCase(), issueId: issue_id, now }
}

export function toResource(now: number) {
  return (row: OrgIgnoreRow): Static<typeof Ignore> => ({
    id: row.id,
    type: 'ignore',
    attributes: {
      issue_id: row.issue_id,
      current_issue_id: row.known_as,
      path: row.path,
      reason: row.reason,
      reason_type: row.reason_type as ReasonType,
      disregard_if_fixable: row.disregard_if_fixable === 1,
      expires_at: row.expires_at === null ? null : toTimestamp(row.expires_at),
      stale_because: findStaleReason(row, now),
      source: row.source as IgnoreSource,
      ignored_by: { id: row.ignored_by_id, name: row.ignored_by_name, email: row.ignored_by_email },
      created_at: toTimestamp(row.created_at),
      updated_at: toTimestamp(row.updated_at),
    },
    relationships: {
      project: { data: { id: row.project_id, type: 'project', attributes: { name: row.project_name } } },
    },
  })
}

function findStaleReason({ effect, expires_at }: OrgIgnoreRow, now: number): StaleReason | null {
  if (expires_at !== null && expires_at <= now) return 'expired'
  return effect === 'applies' ? null : (effect as StaleReason)
}
