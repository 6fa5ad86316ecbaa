import { sql } from 'kysely'
import type { GroupKind } from '#features/issue-index/storage/group-keys.ts'
import type { GroupRow } from '#features/issue-index/storage/groups-store.ts'
import { parsePackageKey, type Totals } from '#features/issue-index/storage/listed-issues-store.ts'
import { groupConditions, type TriageFilters } from '#features/issue-index/triage/due-conditions-store.ts'
import type { Db } from '#foundation/db/database.ts'
import { type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import { contains } from '#foundation/db/text-match.ts'
import { countLive } from './live-totals-store.ts'

export interface GroupFilters extends TriageFilters {
  /** From 1 (low) to 4 (critical). */
  readonly severities?: readonly number[] | undefined
  readonly isExploited?: boolean | undefined
  readonly isFixable?: boolean | undefined
  /** True: with ignored issues; false: with open ones. */
  readonly isIgnored?: boolean | undefined
  readonly registry?: string | undefined
  /** Words that must all occur in ids, names or title. */
  readonly words?: readonly string[] | undefined
  /** Epoch milliseconds, inclusive. */
  readonly knownFrom?: number | undefined
  readonly key?: string | undefined
  /** Key of a package that the vulnerabilities concern. */
  readonly packageKey?: string | undefined
}

export const groupSorts = ['-priority', '-severity', '-projects', '-known', 'known'] as const
export type GroupSort = (typeof groupSorts)[number]

function orderBy(columns: readonly (keyof GroupRow)[], order: 'asc' | 'desc'): Keyset<GroupRow> {
  const all = [...columns, 'group_key'] as const
  return {
    columns: all.map((column) => `g.${column}`),
    position: (row) => all.map((column) => row[column] as string | number),
    order,
  }
}

/** The columns of `-priority`, as in `comparePriority`. */
export const priorityColumns = [
  'is_exploited',
  'severity',
  'epss',
  'score',
  'projects',
  'direct',
  'is_fixable',
] as const

/** The orders of groups, each with its index. */
export const groupOrders: Readonly<Record<GroupSort, Keyset<GroupRow>>> = {
  '-priority': orderBy(priorityColumns, 'desc'),
  '-severity': orderBy(['severity', 'score'], 'desc'),
  '-projects': orderBy(['projects'], 'desc'),
  '-known': orderBy(['known_since'], 'desc'),
  known: orderBy(['known_since'], 'asc'),
}

const MAX_WORDS = 8

export function wordsOf(query: string): string[] {
  return query
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
}

export interface GroupsInput {
  readonly orgNumber: number
  readonly kind: GroupKind
  readonly filters: GroupFilters
  readonly now: number
}

function matching(db: Db, { orgNumber, kind, filters, now }: GroupsInput) {
  const { severities, isExploited, isFixable, isIgnored, registry, words = [], knownFrom, key } = filters
  const { packageKey } = filters
  // Newer advisories may leave a group without issues, which is never described. Written as an expression, the
  // condition keeps SQLite from sorting by the index of severities instead of reading the index of the order.
  let query = db
    .selectFrom('issue_groups as g')
    .where('g.org_number', '=', orgNumber)
    .where('g.kind', '=', kind)
    .where(sql<boolean>`g.severity + 0 > 0`)
  if (severities) query = query.where('g.severity', 'in', severities)
  if (isExploited !== undefined) query = query.where('g.is_exploited', '=', isExploited ? 1 : 0)
  if (isFixable !== undefined) query = query.where('g.is_fixable', '=', isFixable ? 1 : 0)
  if (isIgnored !== undefined) {
    const column = isIgnored ? 'g.ignored' : 'g.projects'
    query = query.where((eb) => eb.or([eb(column, '>', 0), eb('g.is_stale', '=', 1)]))
  }
  if (registry !== undefined) query = query.where('g.registry', '=', registry)
  for (const word of words) query = query.where(contains(db, 'g.search_text', word))
  if (knownFrom !== undefined) query = query.where('g.known_since', '>=', knownFrom)
  if (key !== undefined) query = query.where('g.group_key', '=', key)
  if (packageKey !== undefined) query = query.where('g.group_key', 'in', issuesOfPackage(orgNumber, packageKey))
  for (const condition of groupConditions(filters, now)) query = query.where(condition)
  return query
}

function issuesOfPackage(orgNumber: number, key: string) {
  const { registry, name } = parsePackageKey(key)
  return sql<string>`(
    select oi.issue_id from packages k
    join org_issues oi on oi.package_number = k.number and oi.org_number = ${orgNumber}
    where k.registry = ${registry} and k.name = ${name})`
}

interface ListInput extends GroupsInput {
  readonly sort: GroupSort
}

/** A group with its current totals; the stored ones, which determine its position, may be outdated. */
export interface CountedGroup extends GroupRow {
  readonly live?: Totals
}

/** Lists groups of an organization's issues. Groups that newer advisories changed are counted from all rows. */
export async function listGroups(db: Db, { sort, ...input }: ListInput, window: Window): Promise<Page<CountedGroup>> {
  const page = await readPage(selectGroups(db, input), groupOrders[sort], window)
  const rows = await Array.fromAsync(page.rows, async (row) =>
    row.is_stale === 1 ? { ...row, live: await countLive(db, row, input.now) } : row,
  )
  return { ...page, rows }
}

/** A limit that no organization reaches. */
const MAX_GROUPS = 1_000_000_000

/**
 * Selects the matching groups. Words are searched in the text of every group; along the index of an order, each row
 * would be a random read. The limit keeps both engines from it, so that they scan the groups in storage order.
 */
function selectGroups(db: Db, input: GroupsInput) {
  const groups = matching(db, input).selectAll('g')
  if ((input.filters.words ?? []).length === 0) return groups
  return db.selectFrom(groups.limit(sql.lit(MAX_GROUPS)).as('g')).selectAll('g')
}

export interface GroupTotals {
  readonly groups: number
  /** Open issues. */
  readonly issues: number
}

export async function countGroups(db: Db, input: GroupsInput): Promise<GroupTotals> {
  const { groups, issues } = await matching(db, input)
    .select([sql<number>`count(*)`.as('groups'), sql<number>`coalesce(sum(g.issues), 0)`.as('issues')])
    .executeTakeFirstOrThrow()
  return { groups: Number(groups), issues: Number(issues) }
}

/** Lists the keys of the matching groups, at most `limit`. */
export async function listGroupKeys(db: Db, input: GroupsInput, limit: number): Promise<string[]> {
  const rows = await matching(db, input).select('g.group_key').orderBy('g.group_key').limit(sql.lit(limit)).execute()
  return rows.map(({ group_key }) => group_key)
}
