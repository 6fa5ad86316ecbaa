import { sql } from 'kysely'
import { registries } from '#analysis/advisories/package-names.ts'
import type { Db } from '#foundation/db/database.ts'
import {
  type Keyset,
  type Operator,
  type Page,
  type Position,
  rememberedPage,
  type Window,
} from '#foundation/db/keyset.ts'
import { prepared } from '#foundation/db/prepared.ts'
import { andThen, type Soon } from '#foundation/soon.ts'
import { ignoringSince } from './ignored-store.ts'

/** An issue of a package as an organisation has it, in whatever number of projects. */
interface IssueRow {
  readonly org_number: number
  readonly package_number: number
  readonly issue_id: string
  readonly severity: number
  /** Since when the organisation has had it. */
  readonly known_since: number
  readonly title: string
  readonly facts: string
  readonly name: string
  readonly version: string
  readonly registry: string
}

interface ProjectPart {
  readonly project_number: number
  readonly project_id: string
  readonly project_name: string
  readonly project_type: string
  readonly project_created_at: number
  /** Null when it is not ignored, or was at some time. */
  readonly ignored_until: number | null
}

/** An issue of a project as the organisation's list has it; of several packages that it is in, the first speaks. */
export interface OrgIssueRow extends IssueRow, ProjectPart {}

export interface OrgIssueFilters {
  readonly issueId?: string | undefined
  /** Instead of one: the issues that an alias speaks of. */
  readonly issueIds?: readonly string[] | undefined
  /** From 1 (low) to 4 (critical). */
  readonly severities?: readonly number[] | undefined
  readonly isIgnored?: boolean | undefined
  readonly projectNumber?: number | undefined
  /** As advisories look it up. */
  readonly packageName?: string | undefined
  /** Instead of one: those that a part of a name speaks of. */
  readonly packageNames?: readonly string[] | undefined
  readonly packageVersion?: string | undefined
  /** Epoch milliseconds, inclusive: since when the organisation has had it. */
  readonly knownFrom?: number | undefined
  readonly knownUntil?: number | undefined
}

/** The orders of the list; each has its index. */
export const orgIssueSorts = ['-severity', 'severity', '-known', 'known'] as const
export type OrgIssueSort = (typeof orgIssueSorts)[number]

type SortColumn = 'severity' | 'known_since'

interface Order extends Keyset<OrgIssueRow> {
  readonly sortColumn: SortColumn
}

function orderBy(sortColumn: SortColumn, order: 'asc' | 'desc'): Order {
  return {
    sortColumn,
    order,
    columns: [sortColumn, 'issue_id', 'package_number', 'project_number'],
    position: (row) => [row[sortColumn], row.issue_id, row.package_number, row.project_number],
  }
}

export const orgIssueOrders: Readonly<Record<OrgIssueSort, Order>> = {
  severity: orderBy('severity', 'asc'),
  '-severity': orderBy('severity', 'desc'),
  known: orderBy('known_since', 'asc'),
  '-known': orderBy('known_since', 'desc'),
}

interface Wanted {
  readonly orgNumber: number
  readonly filters: OrgIssueFilters
  readonly sort: OrgIssueSort
  /** Undefined where nothing depends on it. */
  readonly now: number | undefined
}

/** Issues of packages that are read at a time, and of how many the projects are: one may fill a page, or each have one. */
const ISSUES_AT_ONCE = 16
const STEPS = [1, 3, 12] as const

const readRemembered = rememberedPage(
  (db: Db, { sort, ...wanted }: Wanted) =>
    (operator: Operator, position: Position, limit: number) =>
      readPart(db, { ...wanted, order: orgIssueOrders[sort] }, { operator, position, limit }),
  ({ sort }) => orgIssueOrders[sort],
)

/**
 * Issues of all projects of an organisation. Neither engine reads only what it shows of such a join of a short list
 * (`org_issues`) and a long one (`project_packages`) in an order over both, so that is done here: the short list by its
 * index, then for each of its rows the projects that follow, by theirs.
 */
export function listOrgIssues(
  db: Db,
  { orgNumber, filters, sort, now }: Wanted & { readonly now: number },
  window: Window,
): Soon<Page<OrgIssueRow>> {
  const wanted = { orgNumber, filters, sort }
  if (filters.isIgnored === undefined) return readRemembered(db, { ...wanted, now: undefined }, window)
  return andThen(ignoringSince(db, now), (since) => readRemembered(db, { ...wanted, now: since }, window))
}

interface Reading extends Omit<Wanted, 'sort'> {
  readonly order: Order
}

interface Part {
  readonly operator: Operator
  readonly position: Position
  readonly limit: number
}

async function readPart(db: Db, reading: Reading, { operator, position, limit }: Part): Promise<OrgIssueRow[]> {
  const isAscending = operator.startsWith('>')
  const rows: OrgIssueRow[] = []
  let place = typeof position === 'string' ? undefined : (position as IssuePlace)
  if (place) {
    const [current] = await readIssues(db, reading, { operator: '=', place, limit: 1 })
    const after = { operator, number: position[3] as number }
    if (current) rows.push(...(await readProjects(db, reading, { issues: [current], after, limit })))
  }
  const after = { operator: isAscending ? ('>' as const) : ('<' as const), number: undefined }
  while (rows.length < limit) {
    const issues = await readIssues(db, reading, { operator: after.operator, place, limit: ISSUES_AT_ONCE })
    for (let at = 0, step = 0; at < issues.length && rows.length < limit; at += STEPS[step]!, step++) {
      const some = issues.slice(at, at + STEPS[step]!)
      rows.push(...(await readProjects(db, reading, { issues: some, after, limit })))
    }
    const last = issues.at(-1)
    if (!last || issues.length < ISSUES_AT_ONCE) break
    place = [last[reading.order.sortColumn], last.issue_id, last.package_number]
  }
  return rows.slice(0, limit)
}

/** Of the sort column, the issue and the package. */
type IssuePlace = readonly [number, string, number, ...unknown[]]

interface IssuesPart {
  readonly operator: '=' | '<' | '>'
  readonly place: IssuePlace | undefined
  readonly limit: number
}

type Query<Row> = (db: Db, values: Readonly<Record<string, unknown>>) => Soon<Row[]>

/** Texts are made once for each shape that a query may have: there are a few hundred. */
function shapes<Row>() {
  const known = new Map<string, Query<Row>>()
  return (shape: readonly unknown[], make: () => Query<Row>): Query<Row> => {
    const key = JSON.stringify(shape)
    const query = known.get(key) ?? make()
    known.set(key, query)
    return query
  }
}

const issueShapes = shapes<IssueRow>()

function readIssues(db: Db, reading: Reading, { operator, place, limit }: IssuesPart): Soon<IssueRow[]> {
  const { orgNumber, filters, order, now } = reading
  const { severities = [], isIgnored, issueIds, packageNames, ...single } = filters
  const listed = { ...membersOf('id', issueIds), ...membersOf('name', packageNames) }
  const values: Record<string, unknown> = { orgNumber, ...definedOf(single), ...listed }
  if (isIgnored) values['now'] = now
  for (const [n, severity] of severities.entries()) values[`severity${n}`] = severity
  if (place) [values['at'], values['atIssue'], values['atPackage']] = place
  const shape = [order.sortColumn, operator, limit, filters.severities?.length, isIgnored === true, Object.keys(values)]
  return issueShapes(shape, () =>
    prepared((on: Db, given: Readonly<Record<string, unknown>>) =>
      issuesQuery(on, { given, order, operator, limit, filters, hasPlace: place !== undefined }),
    ),
  )(db, values)
}

const SIZES = [1, 8, 64, 400] as const

/** Few texts of statements: the rest of a list is filled up with its last element. */
function membersOf(prefix: string, list: readonly string[] = []): Record<string, string> {
  const size = list.length === 0 ? 0 : SIZES.find((each) => each >= list.length)!
  return Object.fromEntries(Array.from({ length: size }, (_, n) => [`${prefix}${n}`, list[n] ?? list.at(-1)!]))
}

function givenMembers(prefix: string, given: Readonly<Record<string, unknown>>) {
  const names = Object.keys(given).filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
  return sql.join(names.map((name) => given[name]))
}

function definedOf(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

interface IssuesQuery {
  readonly given: Readonly<Record<string, unknown>>
  readonly order: Order
  readonly operator: '=' | '<' | '>'
  readonly limit: number
  readonly filters: OrgIssueFilters
  readonly hasPlace: boolean
}

/** The few rows of the list first, then what is known of them: PostgreSQL would rather join all, and sort that. */
function issuesQuery(db: Db, { given, order, operator, limit, filters, hasPlace }: IssuesQuery) {
  const direction = operator === '<' ? 'desc' : 'asc'
  // What names one package, issue or project is found by that; the few rows are then put in order.
  const { issueId, issueIds, packageName, packageNames, projectNumber } = filters
  const isNarrow = [issueId, issueIds, packageName, packageNames, projectNumber].some((each) => each !== undefined)
  const column = sql.ref<number>(`oi.${order.sortColumn}`)
  const sortColumn = isNarrow ? sql<number>`${column} + 0` : column
  let query = db
    .selectFrom('org_issues as oi')
    .selectAll('oi')
    .where('oi.org_number', '=', given['orgNumber'] as number)
    .orderBy(sortColumn, direction)
    .orderBy('oi.issue_id', direction)
    .orderBy('oi.package_number', direction)
    .limit(sql.lit(limit))
  if (hasPlace) {
    const { at, atIssue, atPackage } = given
    query = query.where(
      sql<boolean>`(${sortColumn}, oi.issue_id, oi.package_number) ${sql.raw(operator)} (${at}, ${atIssue}, ${atPackage})`,
    )
  }
  for (const condition of conditionsOf(filters, given)) query = query.where(condition)
  return db
    .selectFrom(query.as('oi'))
    .innerJoin('package_issues as pi', (join) =>
      join.onRef('pi.package_number', '=', 'oi.package_number').onRef('pi.issue_id', '=', 'oi.issue_id'),
    )
    .innerJoin('packages as k', 'k.number', 'oi.package_number')
    .select(['oi.org_number', 'oi.package_number', 'oi.issue_id', 'oi.severity', 'oi.known_since', 'pi.title'])
    .select(['pi.facts', 'k.name', 'k.version', 'k.registry'])
    .orderBy(`oi.${order.sortColumn}`, direction)
    .orderBy('oi.issue_id', direction)
    .orderBy('oi.package_number', direction)
}

function conditionsOf(filters: OrgIssueFilters, given: Readonly<Record<string, unknown>>) {
  const { issueId, severities, isIgnored, projectNumber, packageName, packageVersion, knownFrom, knownUntil } = filters
  const conditions = []
  if (issueId !== undefined) {
    conditions.push(sql<boolean>`oi.issue_id = ${given['issueId']} and oi.package_number in (
      select package_number from package_issues where issue_id = ${given['issueId']})`)
  }
  if (filters.issueIds !== undefined) {
    const ids = givenMembers('id', given)
    conditions.push(sql<boolean>`oi.issue_id in (${ids}) and oi.package_number in (
      select package_number from package_issues where issue_id in (${ids}))`)
  }
  const ofVersion = packageVersion === undefined ? sql`` : sql`and version = ${given['packageVersion']}`
  if (filters.packageNames !== undefined) {
    conditions.push(sql<boolean>`oi.package_number in (select number from packages
      where registry in (${sql.join(registries.map((each) => sql.lit(each)))}) and name in (${givenMembers('name', given)}) ${ofVersion})`)
  }
  if (severities !== undefined) {
    const list = severities.map((_, n) => given[`severity${n}`])
    conditions.push(sql<boolean>`oi.severity in (${sql.join(list)})`)
  }
  if (projectNumber !== undefined) {
    conditions.push(sql<boolean>`oi.package_number in (
      select package_number from project_packages where project_number = ${given['projectNumber']})`)
  }
  if (packageName !== undefined) {
    conditions.push(sql<boolean>`oi.package_number in (
      select number from packages
      where registry in (${sql.join(registries.map((each) => sql.lit(each)))}) and name = ${given['packageName']} ${ofVersion})`)
  }
  if (knownFrom !== undefined) conditions.push(sql<boolean>`oi.known_since >= ${given['knownFrom']}`)
  if (knownUntil !== undefined) conditions.push(sql<boolean>`oi.known_since <= ${given['knownUntil']}`)
  if (isIgnored === true) {
    conditions.push(sql<boolean>`exists (
      select 1 from ignored_issues ig where ig.issue_id = oi.issue_id and ig.ignored_until > ${given['now']})`)
  }
  return conditions
}

interface ProjectsPart {
  readonly issues: readonly IssueRow[]
  readonly after: { readonly operator: Operator; readonly number: number | undefined }
  /** Of each issue. */
  readonly limit: number
}

interface BranchRow extends ProjectPart {
  /** Which of the issues it is of. */
  readonly branch: number
}

const projectShapes = shapes<BranchRow>()

/** The projects of several issues in one question. */
async function readProjects(
  db: Db,
  { filters, now }: Reading,
  { issues, after, limit }: ProjectsPart,
): Promise<OrgIssueRow[]> {
  const { isIgnored, projectNumber, packageName, packageVersion } = filters
  const listed = membersOf('name', filters.packageNames)
  const asked = { projectNumber, packageName, packageVersion, afterNumber: after.number, ...listed }
  const values = definedOf({ ...asked, now: isIgnored === undefined ? undefined : now })
  for (const [n, { org_number, package_number, issue_id }] of issues.entries()) {
    Object.assign(values, { [`org${n}`]: org_number, [`package${n}`]: package_number, [`issue${n}`]: issue_id })
  }
  const shape = [after.operator, limit, isIgnored, Object.keys(values)]
  const query = projectShapes(shape, () =>
    prepared((on: Db, given: Readonly<Record<string, unknown>>) => {
      const branches = issues.map((_, n) => {
        const of = { orgNumber: given[`org${n}`], packageNumber: given[`package${n}`], issueId: given[`issue${n}`] }
        const branch = projectsQuery({ given: { ...given, ...of }, operator: after.operator, limit, isIgnored })
        return sql`select ${sql.lit(n)} as branch, b.* from (${branch}) b`
      })
      return { compile: () => sql<BranchRow>`${sql.join(branches, sql` union all `)}`.compile(on) }
    }),
  )
  const turn = after.operator.startsWith('>') ? 1 : -1
  const rows = [...(await query(db, values))].sort(
    (a, b) => a.branch - b.branch || turn * (Number(a.project_number) - Number(b.project_number)),
  )
  return rows.map(({ branch, ...row }) => ({ ...issues[branch]!, ...row }))
}

interface ProjectsQuery {
  readonly given: Readonly<Record<string, unknown>>
  readonly operator: Operator
  readonly limit: number
  readonly isIgnored: boolean | undefined
}

function projectsQuery({ given, operator, limit, isIgnored }: ProjectsQuery) {
  const direction = sql.raw(operator.startsWith('>') ? 'asc' : 'desc')
  const { orgNumber, packageNumber, issueId, projectNumber, packageName, packageVersion, afterNumber, now } = given
  // Cross joins are made in the order that they are written in: what is ignored is little, what is not is much.
  const from =
    isIgnored === true
      ? sql`ignored_issues ii cross join project_packages pp cross join projects p
          where ii.issue_id = ${issueId} and pp.project_number = ii.project_number and p.number = pp.project_number
          and ii.ignored_until > ${now}`
      : sql`project_packages pp cross join projects p
          left join ignored_issues ii on ii.project_number = pp.project_number and ii.issue_id = ${issueId}
          where p.number = pp.project_number`
  const number = sql.ref(isIgnored === true ? 'ii.project_number' : 'pp.project_number')
  const conditions = [sql`pp.package_number = ${packageNumber} and pp.org_number = ${orgNumber}`]
  if (projectNumber !== undefined) conditions.push(sql`${number} = ${projectNumber}`)
  if (afterNumber !== undefined) conditions.push(sql`${number} ${sql.raw(operator)} ${afterNumber}`)
  if (isIgnored === false) conditions.push(sql`(ii.ignored_until is null or ii.ignored_until <= ${now})`)
  // The first of those that are asked for; with an offset PostgreSQL looks for each row, in the order of the index.
  const named = [
    packageName === undefined ? undefined : sql`k.name = ${packageName}`,
    given['name0'] === undefined ? undefined : sql`k.name in (${givenMembers('name', given)})`,
    packageVersion === undefined ? undefined : sql`k.version = ${packageVersion}`,
  ].filter((each) => each !== undefined)
  const isAsked =
    named.length === 0
      ? sql``
      : sql`and exists (select 1 from packages k where k.number = other.package_number and ${sql.join(named, sql` and `)})`
  return sql`
    select pp.project_number, p.id as project_id, p.name as project_name, p.type as project_type,
      p.created_at as project_created_at, ii.ignored_until
    from ${from} and ${sql.join(conditions, sql` and `)}
    and not exists (
      select 1 from package_issues other
      join project_packages own on own.package_number = other.package_number
      where other.issue_id = ${issueId} and other.package_number < ${packageNumber} and own.project_number = ${number}
      ${isAsked} limit 1 offset 0
    )
    order by ${number} ${direction} limit ${sql.lit(limit)}`
}
