import type { Selectable } from 'kysely'
import { sql } from 'kysely'
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
import type { Tables } from '#foundation/db/tables.generated.ts'
import { isPostgres } from '#foundation/db/transaction-lock.ts'
import { andThen, type MaybePromise } from '#foundation/maybe-promise.ts'
import { ignoringSince } from '../issue-index/ignores/ignored-store.ts'
import { projectConditions, triageValues } from '../issue-index/triage/due-conditions-store.ts'
import { priorityColumns } from './groups/group-list-store.ts'
import { listIssuesOfOneProject, type Part } from './one-project-issues-store.ts'
import {
  conditionsOf,
  definedOf,
  type IssueOrder,
  isGroupOfIssue,
  isRequestedPackage,
  membersOf,
  type OrgIssueFilters,
  orderByPlace,
  selectPlace,
  shapes,
} from './org-issue-filters-store.ts'

/** An issue of a package in an organization, in any number of projects. */
type IssueRow = Selectable<Tables['org_issues']> &
  GroupPlace &
  Pick<Selectable<Tables['package_issues']>, 'title' | 'facts'> &
  Pick<Selectable<Tables['packages']>, 'name' | 'version' | 'registry'> & {
    /** The severity by the advisory. */
    readonly own_severity: number
  }

interface ProjectPart
  extends Pick<Selectable<Tables['projects']>, 'business_criticality' | 'environment' | 'lifecycle'> {
  readonly project_number: number
  readonly project_id: string
  readonly project_name: string
  readonly project_type: string
  readonly project_created_at: number
  /** 1 if the project declares the package itself. */
  readonly is_direct: number
  /** Null if it was never ignored. */
  readonly ignored_until: number | null
}

/** An issue of a project as in the organization's list, which shows the first of its packages. */
export type OrgIssueRow = IssueRow & ProjectPart

/** The place of the row's vulnerability in the order by priority. */
type GroupPlace = { readonly [Column in `group_${(typeof priorityColumns)[number]}`]?: number }

/** The orders of the list; each has its index. */
export const orgIssueSorts = ['-priority', '-severity', 'severity', '-known', 'known'] as const
export type OrgIssueSort = (typeof orgIssueSorts)[number]

type Order = Keyset<OrgIssueRow> & IssueOrder

function orderBy(
  table: Order['table'],
  sortColumns: readonly { readonly column: string; readonly alias: keyof IssueRow }[],
  order: 'asc' | 'desc',
): Order {
  const id = { column: table === 'g' ? 'g.group_key' : 'oi.issue_id', alias: 'issue_id' } as const
  const placeColumns = [...sortColumns, id]
  return {
    table,
    placeColumns,
    order,
    columns: [...placeColumns.map(({ column }) => column), 'oi.package_number', 'pp.project_number'],
    position: (row) => [...placeColumns.map(({ alias }) => row[alias]!), row.package_number, row.project_number],
  }
}

const bySeverity = [{ column: 'oi.severity', alias: 'severity' }] as const
const byAge = [{ column: 'oi.known_since', alias: 'known_since' }] as const
const byPriority = priorityColumns.map((column) => ({ column: `g.${column}`, alias: `group_${column}` }) as const)

export const orgIssueOrders: Readonly<Record<OrgIssueSort, Order>> = {
  '-priority': orderBy('g', byPriority, 'desc'),
  severity: orderBy('oi', bySeverity, 'asc'),
  '-severity': orderBy('oi', bySeverity, 'desc'),
  known: orderBy('oi', byAge, 'asc'),
  '-known': orderBy('oi', byAge, 'desc'),
}

interface OrgIssueQuery {
  readonly orgNumber: number
  readonly filters: OrgIssueFilters
  readonly sort: OrgIssueSort
  /** Undefined if nothing depends on the time. */
  readonly now: number | undefined
}

/**
 * Issues of packages read per step, and numbers of projects read per issue: one issue may fill a page, or each may have
 * one project.
 */
const ISSUES_AT_ONCE = 16
const STEPS = [1, 3, 12] as const

const readRemembered = rememberedPage(
  (db: Db, { sort, ...query }: OrgIssueQuery) =>
    (operator: Operator, position: Position, limit: number) =>
      readPart(db, { ...query, order: orgIssueOrders[sort] }, { operator, position, limit }),
  ({ sort }) => orgIssueOrders[sort],
)

/**
 * Lists the issues of all projects of an organization. Neither engine reads only one page of a join of a short table
 * (`org_issues`) and a long one (`project_packages`) that is ordered by both. So this reads the short one by its index,
 * then the following projects of each row by theirs.
 */
export function listOrgIssues(
  db: Db,
  { orgNumber, filters, sort, now }: OrgIssueQuery & { readonly now: number },
  window: Window,
): MaybePromise<Page<OrgIssueRow>> {
  const query = { orgNumber, filters, sort }
  if (filters.isIgnored === undefined) return readRemembered(db, { ...query, now: undefined }, window)
  return andThen(ignoringSince(db, now), (since) => readRemembered(db, { ...query, now: since }, window))
}

interface Reading extends Omit<OrgIssueQuery, 'sort'> {
  readonly order: Order
}

async function readPart(db: Db, reading: Reading, { operator, position, limit }: Part): Promise<OrgIssueRow[]> {
  const { projectNumber } = reading.filters
  if (projectNumber !== undefined) {
    return listIssuesOfOneProject<OrgIssueRow>(db, { ...reading, projectNumber }, { operator, position, limit })
  }
  const isAscending = operator.startsWith('>')
  const rows: OrgIssueRow[] = []
  let place: IssuePlace | undefined = typeof position === 'string' ? undefined : position.slice(0, -1)
  if (place) {
    const [current] = await readIssues(db, reading, { operator: '=', place, limit: 1 })
    const after = { operator, number: position.at(-1) as number }
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
    place = [...reading.order.placeColumns.map(({ alias }) => last[alias as keyof IssueRow]!), last.package_number]
  }
  return rows.slice(0, limit)
}

/** Values of the place's columns and the package. */
type IssuePlace = readonly (string | number)[]

interface IssuesPart {
  readonly operator: '=' | '<' | '>'
  readonly place: IssuePlace | undefined
  readonly limit: number
}

const issueShapes = shapes<IssueRow>()

function readIssues(db: Db, reading: Reading, { operator, place, limit }: IssuesPart): MaybePromise<IssueRow[]> {
  const { orgNumber, filters, order, now } = reading
  const { severities = [], isIgnored, issueIds, packageNames, due, assigneeId, ...single } = filters
  const triage = triageValues({ due, assigneeId })
  const listed = { ...membersOf('id', issueIds), ...membersOf('name', packageNames), ...triage }
  const values: Record<string, unknown> = { orgNumber, ...definedOf(single), ...listed }
  if (isIgnored) values['now'] = now
  for (const [n, severity] of severities.entries()) values[`severity${n}`] = severity
  for (const [n, value] of (place ?? []).entries()) values[`at${n}`] = value
  const shape = [order.columns[0], operator, limit, filters.severities?.length, isIgnored === true, Object.keys(values)]
  return issueShapes(shape, () =>
    prepared((on: Db, parameters: Readonly<Record<string, unknown>>) => ({
      compile: () =>
        issuesQuery(on, { parameters, order, operator, limit, filters, hasPlace: place !== undefined }).compile(on),
    })),
  )(db, values)
}

interface IssuesQuery {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly order: Order
  readonly operator: '=' | '<' | '>'
  readonly limit: number
  readonly filters: OrgIssueFilters
  readonly hasPlace: boolean
}

/** Selects the few rows of the page before joining their data; otherwise PostgreSQL joins and sorts all rows. */
function issuesQuery(db: Db, { parameters, order, operator, limit, filters, hasPlace }: IssuesQuery) {
  const direction = operator === '<' ? 'desc' : 'asc'
  // Apply a filter for one package or issue first, then sort the few rows.
  const { issueId, issueIds, packageName, packageNames } = filters
  const isNarrow = [issueId, issueIds, packageName, packageNames].some((filter) => filter !== undefined)
  const [first, ...others] = order.placeColumns.map(({ column }) => sql.ref(column))
  const place = [isNarrow ? sql`${first} + 0` : first, ...others]
  const inOrg = sql<boolean>`${sql.ref(`${order.table}.org_number`)} = ${parameters['orgNumber']}`
  const conditions = [inOrg, ...conditionsOf(filters, parameters)]
  if (hasPlace) {
    const columns = [...place, sql.ref('oi.package_number')]
    conditions.push(isBeyond(columns, operator, parameters))
    // Bounds the scan of the index of groups, which lacks the packages.
    if (order.table === 'g') conditions.push(isBeyond(place, operator === '=' ? '=' : `${operator}=`, parameters))
  }
  const ordered = sql.join(
    [...place, sql.ref('oi.package_number')].map((column) => sql`${column} ${sql.raw(direction)}`),
  )
  return sql<IssueRow>`
    select oi.*, pi.severity as own_severity, pi.title, pi.facts, k.name, k.version, k.registry
    from (
      select ${selectPlace(order)} oi.org_number, oi.package_number, oi.issue_id, oi.severity, oi.known_since,
        oi.policy_number
      from ${fromIssues(db, order, isNarrow)} and ${sql.join(conditions, sql` and `)}
      order by ${ordered} limit ${sql.lit(limit)}
    ) oi
    join package_issues pi on pi.package_number = oi.package_number and pi.issue_id = oi.issue_id
    join packages k on k.number = oi.package_number
    order by ${orderByPlace(order, direction)}`
}

function isBeyond(columns: readonly unknown[], operator: string, parameters: Readonly<Record<string, unknown>>) {
  const values = columns.map((_, n) => sql`${parameters[`at${n}`]}`)
  return sql<boolean>`(${sql.join(columns)}) ${sql.raw(operator)} (${sql.join(values)})`
}

/** Joins the tables of an order, groups first. */
function fromIssues(db: Db, { table }: Order, isNarrow: boolean) {
  if (table === 'oi') return sql`org_issues oi where true`
  if (isNarrow) return sql`org_issues oi cross join issue_groups g where ${isGroupOfIssue}`
  const issues = sql`package_issues gi cross join org_issues oi`
  const areOfGroup = sql`${isGroupOfIssue} and gi.issue_id = g.group_key and oi.package_number = gi.package_number`
  // SQLite keeps the order of cross joins. The offset makes PostgreSQL read the issues of one group after another.
  return isPostgres(db)
    ? sql`issue_groups g cross join lateral (select oi.* from ${issues} where ${areOfGroup} offset 0) oi where g.kind = 'vulnerability'`
    : sql`issue_groups g cross join ${issues} where ${areOfGroup}`
}

interface ProjectsPart {
  readonly issues: readonly IssueRow[]
  readonly after: { readonly operator: Operator; readonly number: number | undefined }
  /** Limit per issue. */
  readonly limit: number
}

interface BranchRow extends ProjectPart {
  /** Index of the issue. */
  readonly branch: number
}

const projectShapes = shapes<BranchRow>()

async function readProjects(
  db: Db,
  { filters, now }: Reading,
  { issues, after, limit }: ProjectsPart,
): Promise<OrgIssueRow[]> {
  const { isIgnored, packageName, packageVersion } = filters
  const listed = { ...membersOf('name', filters.packageNames), ...triageValues(filters) }
  const shared = { packageName, packageVersion, afterNumber: after.number, ...listed }
  const values = definedOf({ ...shared, now: isIgnored === undefined ? undefined : now })
  for (const [n, { org_number, package_number, issue_id }] of issues.entries()) {
    Object.assign(values, { [`org${n}`]: org_number, [`package${n}`]: package_number, [`issue${n}`]: issue_id })
  }
  const shape = [after.operator, limit, isIgnored, Object.keys(values)]
  const query = projectShapes(shape, () =>
    prepared((on: Db, parameters: Readonly<Record<string, unknown>>) => {
      const branches = issues.map((_, n) => {
        const of = {
          orgNumber: parameters[`org${n}`],
          packageNumber: parameters[`package${n}`],
          issueId: parameters[`issue${n}`],
        }
        const branch = projectsQuery({
          parameters: { ...parameters, ...of },
          operator: after.operator,
          limit,
          isIgnored,
        })
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
  readonly parameters: Readonly<Record<string, unknown>>
  readonly operator: Operator
  readonly limit: number
  readonly isIgnored: boolean | undefined
}

function projectsQuery({ parameters, operator, limit, isIgnored }: ProjectsQuery) {
  const direction = sql.raw(operator.startsWith('>') ? 'asc' : 'desc')
  const { orgNumber, packageNumber, issueId, afterNumber, now } = parameters
  // SQLite keeps the order of cross joins: start with ignored issues, which are few.
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
  if (afterNumber !== undefined) conditions.push(sql`${number} ${sql.raw(operator)} ${afterNumber}`)
  if (isIgnored === false) conditions.push(sql`(ii.ignored_until is null or ii.ignored_until <= ${now})`)
  const triage = projectConditions(parameters)
  if (triage.length > 0) {
    conditions.push(sql`exists (
      select 1 from org_issues oi where oi.org_number = ${orgNumber} and oi.package_number = ${packageNumber}
        and oi.issue_id = ${issueId} and ${sql.join(triage, sql` and `)})`)
  }
  // Takes the first requested package. The offset makes PostgreSQL check each row in the order of the index.
  return sql`
    select pp.project_number, p.id as project_id, p.name as project_name, p.type as project_type,
      p.created_at as project_created_at, p.business_criticality, p.environment, p.lifecycle, pp.is_direct, ii.ignored_until
    from ${from} and ${sql.join(conditions, sql` and `)}
    and not exists (
      select 1 from package_issues other
      join project_packages own on own.package_number = other.package_number
      where other.issue_id = ${issueId} and other.package_number < ${packageNumber} and own.project_number = ${number}
      ${isRequestedPackage(parameters)} limit 1 offset 0
    )
    order by ${number} ${direction} limit ${sql.lit(limit)}`
}
