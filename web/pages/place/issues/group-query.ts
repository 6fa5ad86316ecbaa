import { registries } from '../../../api/registries.ts'
import type { Grouping, GroupQuery, GroupSort, Selection } from '../../../api/resources.ts'
import { type Severity, severities } from '../../../ui/severity.tsx'
import { upperFirst } from '../../../ui/words.ts'
import { toTriageQuery } from '../triage/triage-query.ts'

/** Parameters of the address that determine the list. */
export const filterNames = [
  'by',
  'q',
  'severity',
  'exploited',
  'fix',
  'state',
  'registry',
  'since',
  'due',
  'assignee',
  'sort',
] as const
export type GroupFilters = { readonly [Name in (typeof filterNames)[number]]?: string | undefined }

export const groupings: Readonly<Record<Grouping, string>> = {
  vulnerability: 'Vulnerability',
  package: 'Package',
  project: 'Project',
}

export const stateWords: Readonly<Record<string, string>> = { ignored: 'Ignored', all: 'Open and ignored' }

export const sorts: Readonly<Record<GroupSort, string>> = {
  '-priority': 'Worst first',
  '-severity': 'Severity first',
  '-projects': 'Most projects first',
  '-known': 'Newest first',
  known: 'Oldest first',
}

export function groupingOf({ by }: GroupFilters): Grouping {
  return by !== undefined && Object.hasOwn(groupings, by) ? (by as Grouping) : 'vulnerability'
}

/** Converts filters to a query. Groups by project have only one order, and neither registry nor age. */
export function toGroupQuery(filters: GroupFilters): GroupQuery {
  const grouping = groupingOf(filters)
  const { q, severity, exploited, fix, state = 'open', registry, since, sort } = filters
  const isSeverity = severities.some((option) => option === severity)
  return {
    group_by: grouping,
    query: q,
    ...(isSeverity && { effective_severity_level: [severity as Severity] }),
    ...(exploited !== undefined && { exploited: exploited === 'yes' }),
    ...(fix !== undefined && { fixable: fix === 'yes' }),
    ...(state !== 'all' && { ignored: state === 'ignored' }),
    ...(grouping === 'vulnerability' && toTriageQuery(filters)),
    ...(grouping !== 'project' && {
      registry: registries.find((option) => option === registry),
      created_after: since,
      sort: sort !== undefined && Object.hasOwn(sorts, sort) ? (sort as GroupSort) : undefined,
    }),
  }
}

/** Converts filters to the vulnerabilities that match them, in no order. */
export function toSelection(filters: GroupFilters): Selection['query'] {
  const { group_by: _, sort: __, ...query } = toGroupQuery(filters)
  // Undefined members are not sent.
  return query as Selection['query']
}

export function isNarrowed(filters: GroupFilters): boolean {
  return filterNames.some((name) => name !== 'by' && name !== 'sort' && filters[name] !== undefined)
}

/** Names the filters in effect: `High · No fix yet`. */
export function filterWords(filters: GroupFilters): string {
  const { q, severity, exploited, fix, state, registry, since, due, assignee } = filters
  return [
    q && `“${q}”`,
    severity && upperFirst(severity),
    exploited && (exploited === 'yes' ? 'Exploited' : 'Not exploited'),
    fix && (fix === 'yes' ? 'Fix available' : 'No fix yet'),
    registry,
    since && `Known since ${since.slice(0, 10)}`,
    due && 'Overdue',
    assignee && 'Of one owner',
    state ? stateWords[state] : 'Open',
  ]
    .filter(Boolean)
    .join(' · ')
}
