import { sql } from 'kysely'
import { registries } from '#analysis/advisories/package-names.ts'
import { issueConditions, type TriageFilters } from '#features/issue-index/triage/due-conditions-store.ts'
import type { Db } from '#foundation/db/database.ts'
import type { MaybePromise } from '#foundation/maybe-promise.ts'

export interface OrgIssueFilters extends TriageFilters {
  readonly issueId?: string | undefined
  /** Alternative to one id: the issues with an alias. */
  readonly issueIds?: readonly string[] | undefined
  /** From 1 (low) to 4 (critical). */
  readonly severities?: readonly number[] | undefined
  readonly isIgnored?: boolean | undefined
  readonly projectNumber?: number | undefined
  /** The normalized name, as in advisories. */
  readonly packageName?: string | undefined
  /** Alternative to one name: the names that match a part. */
  readonly packageNames?: readonly string[] | undefined
  readonly packageVersion?: string | undefined
  /** Epoch milliseconds, inclusive: time since which the organization has it. */
  readonly knownFrom?: number | undefined
  readonly knownUntil?: number | undefined
}

/** Columns that determine the place of an issue before its package and project; the last one is the id. */
export interface IssueOrder {
  /** `oi` is `org_issues`, `g` is `issue_groups`. */
  readonly table: 'oi' | 'g'
  /** With their names in the rows. */
  readonly placeColumns: readonly { readonly column: string; readonly alias: string }[]
}

/** Selects the columns of groups, which determine the place of a row. */
export function selectPlace({ table, placeColumns }: IssueOrder) {
  if (table === 'oi') return sql``
  return sql`${sql.join(placeColumns.slice(0, -1).map(({ column, alias }) => sql`${sql.ref(column)} as ${sql.ref(alias)}`))},`
}

/** Orders selected rows by their place. */
export function orderByPlace({ placeColumns }: IssueOrder, direction: 'asc' | 'desc') {
  const aliases = [...placeColumns.map(({ alias }) => alias), 'package_number']
  return sql.join(aliases.map((alias) => sql`${sql.ref(`oi.${alias}`)} ${sql.raw(direction)}`))
}

/** Joins the group of each issue. */
export const isGroupOfIssue = sql<boolean>`g.org_number = oi.org_number and g.kind = 'vulnerability' and g.group_key = oi.issue_id`

type Query<Row> = (db: Db, values: Readonly<Record<string, unknown>>) => MaybePromise<Row[]>

/** Caches one statement text per shape of the query; there are a few hundred. */
export function shapes<Row>() {
  const queries = new Map<string, Query<Row>>()
  return (shape: readonly unknown[], make: () => Query<Row>): Query<Row> => {
    const key = JSON.stringify(shape)
    const query = queries.get(key) ?? make()
    queries.set(key, query)
    return query
  }
}

const SIZES = [1, 8, 64, 400] as const

/** Pads a list with its last element, which keeps the number of different statements small. */
export function membersOf(prefix: string, list: readonly string[] = []): Record<string, string> {
  const size = list.length === 0 ? 0 : SIZES.find((size) => size >= list.length)!
  return Object.fromEntries(Array.from({ length: size }, (_, n) => [`${prefix}${n}`, list[n] ?? list.at(-1)!]))
}

function joinMembers(prefix: string, parameters: Readonly<Record<string, unknown>>) {
  const names = Object.keys(parameters).filter(
    (name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)),
  )
  return sql.join(names.map((name) => parameters[name]))
}

/** Restricts `other.package_number` to packages that a query names; empty if it names none. */
export function isRequestedPackage(parameters: Readonly<Record<string, unknown>>) {
  const { packageName, packageVersion } = parameters
  const conditions = [
    packageName === undefined ? undefined : sql`k.name = ${packageName}`,
    parameters['name0'] === undefined ? undefined : sql`k.name in (${joinMembers('name', parameters)})`,
    packageVersion === undefined ? undefined : sql`k.version = ${packageVersion}`,
  ].filter((condition) => condition !== undefined)
  if (conditions.length === 0) return sql``
  return sql`and exists (select 1 from packages k where k.number = other.package_number and ${sql.join(conditions, sql` and `)})`
}

export function definedOf(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

export function conditionsOf(filters: OrgIssueFilters, parameters: Readonly<Record<string, unknown>>) {
  const { issueId, severities, isIgnored, packageName, packageVersion, knownFrom, knownUntil } = filters
  const conditions = []
  if (issueId !== undefined) {
    conditions.push(sql<boolean>`oi.issue_id = ${parameters['issueId']} and oi.package_number in (
      select package_number from package_issues where issue_id = ${parameters['issueId']})`)
  }
  if (filters.issueIds !== undefined) {
    const ids = joinMembers('id', parameters)
    conditions.push(sql<boolean>`oi.issue_id in (${ids}) and oi.package_number in (
      select package_number from package_issues where issue_id in (${ids}))`)
  }
  const ofVersion = packageVersion === undefined ? sql`` : sql`and version = ${parameters['packageVersion']}`
  if (filters.packageNames !== undefined) {
    conditions.push(sql<boolean>`oi.package_number in (select number from packages
      where registry in (${sql.join(registries.map((registry) => sql.lit(registry)))}) and name in (${joinMembers('name', parameters)}) ${ofVersion})`)
  }
  if (severities !== undefined) {
    const list = severities.map((_, n) => parameters[`severity${n}`])
    conditions.push(sql<boolean>`oi.severity in (${sql.join(list)})`)
  }
  if (packageName !== undefined) {
    conditions.push(sql<boolean>`oi.package_number in (
      select number from packages
      where registry in (${sql.join(registries.map((registry) => sql.lit(registry)))}) and name = ${parameters['packageName']} ${ofVersion})`)
  }
  if (knownFrom !== undefined) conditions.push(sql<boolean>`oi.known_since >= ${parameters['knownFrom']}`)
  if (knownUntil !== undefined) conditions.push(sql<boolean>`oi.known_since <= ${parameters['knownUntil']}`)
  if (isIgnored === true) {
    conditions.push(sql<boolean>`exists (
      select 1 from ignored_issues ig where ig.issue_id = oi.issue_id and ig.ignored_until > ${parameters['now']})`)
  }
  conditions.push(...issueConditions(parameters))
  return conditions
}
