import type { Grouping, GroupQuery, GroupSort, Registry } from '../../../api/resources.ts'
import { type Severity, severities } from '../../../ui/severity.tsx'

/** Parameters of the address that determine the list. */
export const filterNames = ['by', 'q', 'severity', 'exploited', 'fix', 'state', 'registry', 'since', 'sort'] as const
export type GroupFilters = { readonly [Name in (typeof filterNames)[number]]?: string | undefined }

export const groupings: Readonly<Record<Grouping, string>> = {
  vulnerability: 'Vulnerability',
  package: 'Package',
  project: 'Project',
}

export const registries: readonly Registry[] = ['npm', 'Maven', 'PyPI', 'RubyGems', 'Go']

export const sorts: Readonly<Record<GroupSort, string>> = {
  '-priority': 'Exploited first',
  '-severity': 'Worst first',
  '-projects': 'Most projects first',
  '-known': 'Newest first',
  known: 'Oldest first',
}

/** Returns the orders to choose from. Without a catalog of exploited vulnerabilities, the first one is by severity. */
export function listSorts(hasExploited: boolean): Readonly<Partial<Record<GroupSort, string>>> {
  const { '-priority': _, '-severity': worst, ...others } = sorts
  return hasExploited ? sorts : { '-priority': worst, ...others }
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
    ...(grouping !== 'project' && {
      registry: registries.find((option) => option === registry),
      created_after: since,
      sort: sort !== undefined && Object.hasOwn(sorts, sort) ? (sort as GroupSort) : undefined,
    }),
  }
}

export function isNarrowed(filters: GroupFilters): boolean {
  return filterNames.some((name) => name !== 'by' && name !== 'sort' && filters[name] !== undefined)
}
