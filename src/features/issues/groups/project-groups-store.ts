import { type Selectable, sql } from 'kysely'
import { findIssueCounts } from '#features/issue-index/counts/issue-counts-store.ts'
import type { IssueCounts } from '#features/issue-index/severity-counts.ts'
import type { Db } from '#foundation/db/database.ts'
import { type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import type { GroupFilters, GroupTotals } from './group-list-store.ts'

type CountsRow = Selectable<Tables['project_issue_counts']>
type ProjectRow = Selectable<Tables['projects']>

export type ProjectGroupRow = Pick<CountsRow, (typeof columns)[number] | 'fixable'> &
  Pick<ProjectRow, 'id' | 'name' | 'type' | 'licenses' | 'org_id'>

export interface ProjectGroupsInput {
  readonly orgNumber: number
  readonly filters: Pick<GroupFilters, 'severities' | 'isExploited' | 'isFixable' | 'isIgnored'> & {
    readonly projectNumbers?: readonly number[] | undefined
  }
}

const severityColumns = ['critical', 'high', 'medium', 'low'] as const
const columns = ['exploited', ...severityColumns, 'project_number'] as const

/** Exploited issues first, then by severity. */
export const worstProjectsFirst: Keyset<ProjectGroupRow> = {
  columns: columns.map((column) => `c.${column}`),
  position: (row) => columns.map((column) => row[column]),
  order: 'desc',
}

const openIssues = sql<number>`c.critical + c.high + c.medium + c.low`
const ignoredIssues = sql<number>`c.ignored_critical + c.ignored_high + c.ignored_medium + c.ignored_low`

function matching(db: Db, { orgNumber, filters }: ProjectGroupsInput) {
  const { severities, isExploited, isFixable, isIgnored, projectNumbers } = filters
  let query = db.selectFrom('project_issue_counts as c').where('c.org_number', '=', orgNumber)
  if (severities) {
    const columns = severityColumns.filter((_, at) => severities.includes(4 - at))
    query = query.where((eb) => eb.or(columns.map((column) => eb(`c.${column}`, '>', 0))))
  }
  if (isExploited !== undefined) query = query.where('c.exploited', isExploited ? '>' : '=', 0)
  if (isFixable !== undefined) query = query.where('c.fixable', isFixable ? '>' : '=', 0)
  if (isIgnored !== undefined) query = query.where(sql<boolean>`${isIgnored ? ignoredIssues : openIssues} > 0`)
  // SQL has no empty list.
  if (projectNumbers) query = query.where('c.project_number', 'in', projectNumbers.length > 0 ? projectNumbers : [0])
  return query
}

function readRows(db: Db, input: ProjectGroupsInput, window: Window): Promise<Page<ProjectGroupRow>> {
  const query = matching(db, input)
    .innerJoin('projects as p', 'p.number', 'c.project_number')
    .select(['c.project_number', 'c.exploited', 'c.fixable', 'c.critical', 'c.high', 'c.medium', 'c.low'])
    .select(['p.id', 'p.name', 'p.type', 'p.licenses', 'p.org_id'])
  return readPage(query, worstProjectsFirst, window)
}

export async function listProjectGroups(
  db: Db,
  input: ProjectGroupsInput,
  { window, now }: { window: Window; now: number },
): Promise<Page<ProjectGroupRow> & { readonly counts: ReadonlyMap<number, IssueCounts> }> {
  const page = await readRows(db, input, window)
  const projects = page.rows.map((row) => ({ ...row, number: Number(row.project_number) }))
  return { ...page, counts: await findIssueCounts(db, projects, now) }
}

export async function countProjectGroups(db: Db, input: ProjectGroupsInput): Promise<GroupTotals> {
  const { groups, issues } = await matching(db, input)
    .select([sql<number>`count(*)`.as('groups'), sql<number>`coalesce(sum(${openIssues}), 0)`.as('issues')])
    .executeTakeFirstOrThrow()
  return { groups: Number(groups), issues: Number(issues) }
}
