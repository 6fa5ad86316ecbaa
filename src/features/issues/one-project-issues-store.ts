import { sql } from 'kysely'
import { projectConditions, triageValues } from '#features/issue-index/triage/due-conditions-store.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Keyset, Operator, Position } from '#foundation/db/keyset.ts'
import { prepared } from '#foundation/db/prepared.ts'
import type { MaybePromise } from '#foundation/maybe-promise.ts'
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

interface Reading {
  readonly orgNumber: number
  readonly projectNumber: number
  readonly filters: OrgIssueFilters
  readonly order: IssueOrder & Keyset<never>
  readonly now: number | undefined
}

export interface Part {
  readonly operator: Operator
  readonly position: Position
  readonly limit: number
}

const projectShapes = shapes<unknown>()

/** Lists a page of one project's issues from the organization's list. They are few, so all of them are sorted. */
export function listIssuesOfOneProject<Row>(
  db: Db,
  reading: Reading,
  { operator, position, limit }: Part,
): MaybePromise<Row[]> {
  const { orgNumber, projectNumber, order, now } = reading
  const { severities, isIgnored, issueIds, packageNames, due, assigneeId, ...single } = reading.filters
  const triage = triageValues({ due, assigneeId })
  const listed = { ...membersOf('id', issueIds), ...membersOf('name', packageNames), ...triage }
  const values: Record<string, unknown> = { ...definedOf(single), orgNumber, projectNumber, ...listed }
  if (isIgnored !== undefined) values['now'] = now
  for (const [n, severity] of (severities ?? []).entries()) values[`severity${n}`] = severity
  const hasPlace = typeof position !== 'string'
  if (hasPlace) for (const [n, value] of position.entries()) values[`at${n}`] = value
  const shape = [order.columns[0], operator, limit, severities?.length, isIgnored, Object.keys(values)]
  const query = projectShapes(shape, () =>
    prepared((on: Db, parameters: Readonly<Record<string, unknown>>) => ({
      compile: () => issuesQuery(reading, parameters, { operator, hasPlace, limit }).compile(on),
    })),
  )
  return query(db, values) as MaybePromise<Row[]>
}

interface Shape {
  readonly operator: Operator
  readonly hasPlace: boolean
  readonly limit: number
}

function issuesQuery(
  { filters: { projectNumber: _, ...filters }, order }: Reading,
  parameters: Readonly<Record<string, unknown>>,
  { operator, hasPlace, limit }: Shape,
) {
  const direction = operator.startsWith('>') ? 'asc' : 'desc'
  const { now } = parameters
  const conditions = [...conditionsOf(filters, parameters), ...projectConditions(parameters), isFirst(parameters)]
  if (filters.isIgnored === true) conditions.push(sql<boolean>`ii.ignored_until > ${now}`)
  if (filters.isIgnored === false) {
    conditions.push(sql<boolean>`(ii.ignored_until is null or ii.ignored_until <= ${now})`)
  }
  if (hasPlace) {
    const place = sql.join(order.columns.map((column) => sql.ref(column)))
    const from = sql.join(order.columns.map((_, n) => sql`${parameters[`at${n}`]}`))
    conditions.push(sql<boolean>`(${place}) ${sql.raw(operator)} (${from})`)
  }
  if (order.table === 'g') conditions.push(isGroupOfIssue)
  const columns = order.columns.slice(0, -1).map((column) => sql`${sql.ref(column)} ${sql.raw(direction)}`)
  const groups = order.table === 'g' ? sql`cross join issue_groups g` : sql``
  // Select the few rows of the page first, then join their data. SQLite keeps the order of cross joins.
  return sql`
    select oi.*, pi.severity as own_severity, pi.title, pi.facts, k.name, k.version, k.registry, p.id as project_id, p.name as project_name,
      p.type as project_type, p.created_at as project_created_at, p.business_criticality, p.environment, p.lifecycle
    from (
      select ${selectPlace(order)} oi.org_number, oi.package_number, oi.issue_id, oi.severity, oi.known_since, oi.policy_number,
        pp.project_number, pp.is_direct, ii.ignored_until
      from projects p cross join project_packages pp cross join org_issues oi ${groups}
      left join ignored_issues ii on ii.project_number = pp.project_number and ii.issue_id = oi.issue_id
      where p.number = ${parameters['projectNumber']} and pp.project_number = p.number and pp.org_number = ${parameters['orgNumber']}
        and oi.org_number = pp.org_number and oi.package_number = pp.package_number
        and ${sql.join(conditions, sql` and `)}
      order by ${sql.join(columns)} limit ${sql.lit(limit)}
    ) oi cross join projects p cross join package_issues pi cross join packages k
    where p.number = oi.project_number and pi.package_number = oi.package_number and pi.issue_id = oi.issue_id
      and k.number = oi.package_number
    order by ${orderByPlace(order, direction)}`
}

/**
 * Tests whether a package is the project's first with the issue, preferring requested packages. The offset makes
 * PostgreSQL check each row in the order of the index.
 */
function isFirst(parameters: Readonly<Record<string, unknown>>) {
  return sql<boolean>`not exists (
    select 1 from package_issues other
    join project_packages own on own.package_number = other.package_number
    where other.issue_id = oi.issue_id and other.package_number < oi.package_number and own.project_number = pp.project_number
    ${isRequestedPackage(parameters)} limit 1 offset 0)`
}
