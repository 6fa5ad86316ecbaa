import { type RawBuilder, sql } from 'kysely'
import { registries } from '#analysis/advisories/package-names.ts'
import { countRows } from '#foundation/db/count-rows.ts'
import type { Db } from '#foundation/db/database.ts'

/** Filters of an organization's packages. A package must match one value of each filter. */
export interface DependencyFilters {
  readonly projectNumbers?: readonly number[] | undefined
  readonly registries?: readonly string[] | undefined
  /** Normalized names, as in advisories, with versions. */
  readonly packages?: readonly { readonly name: string; readonly version: string }[] | undefined
  /** From 1 (low) to 4 (critical): packages with an issue of one of them. */
  readonly severities?: readonly number[] | undefined
}

export interface DependencyRow {
  readonly number: number
  readonly registry: string
  readonly name: string
  readonly version: string
  /** The name as spelled in a project; null until it was looked up. */
  readonly spelling: string | null
  readonly license: string | null
  /** The number in the organization's list; see `ListedPackage`. */
  readonly projects: number | null
}

export type DependencySort = 'dependency' | 'severity' | 'projects'

interface DependencyQuery {
  readonly orgNumber: number
  readonly filters: DependencyFilters
}

function packagesOf(db: Db, { orgNumber, filters }: DependencyQuery) {
  const { projectNumbers, registries, packages, severities } = filters
  const having = sql`project_packages pp join projects p on p.number = pp.project_number where pp.org_number = ${orgNumber}`
  // A few given projects are read first; otherwise each package is checked for a project.
  const among = projectNumbers
    ? sql<boolean>`k.number in (select pp.package_number from ${having} and ${inList('pp.project_number', projectNumbers)})`
    : sql<boolean>`exists (select 1 from ${having} and pp.package_number = k.number)`
  const parts = [among]
  if (registries) parts.push(inList('k.registry', registries))
  if (packages) parts.push(inPairs(packages))
  if (severities) {
    const matchingIssues = sql`select 1 from org_issues oi where oi.org_number = ${orgNumber} and oi.package_number = k.number and ${inList('oi.severity', severities)}`
    parts.push(sql<boolean>`exists (${matchingIssues})`)
  }
  return db.selectFrom('packages as k').where(sql<boolean>`(${sql.join(parts, sql` and `)})`)
}

function inList(column: string, values: readonly (string | number)[]) {
  if (values.length === 0) return sql<boolean>`1 = 0`
  return sql<boolean>`${sql.ref(column)} in (${sql.join([...values])})`
}

/**
 * Matches names with versions; an empty version stands for all. Also filters by registry and name, since the index does
 * not support pairs alone.
 */
function inPairs(packages: readonly { name: string; version: string }[]) {
  if (packages.length === 0) return sql<boolean>`1 = 0`
  const pairs = packages.map(({ name, version }) => sql`(${name}, ${version})`)
  const names = packages.map(({ name }) => name)
  return sql<boolean>`${inList('k.registry', registries)} and ${inList('k.name', names)}
    and ((k.name, k.version) in (values ${sql.join(pairs)}) or (k.name, '') in (values ${sql.join(pairs)}))`
}

export async function countDependencies(db: Db, query: DependencyQuery): Promise<number> {
  return countRows(packagesOf(db, query))
}

export async function listDependencies(
  db: Db,
  query: DependencyQuery & { readonly sort: DependencySort; readonly order: 'asc' | 'desc' },
  { limit, offset }: { limit: number; offset: number },
): Promise<DependencyRow[]> {
  const { sort, order, orgNumber } = query
  const direction = sql.raw(order)
  const first =
    sort === 'severity'
      ? sql`(select coalesce(max(s.severity), 0) from org_issues s where s.org_number = ${orgNumber} and s.package_number = k.number) ${direction}, `
      : sort === 'projects'
        ? sql`(select count(*) from project_packages c where c.package_number = k.number and c.org_number = ${orgNumber}) ${direction}, `
        : sql``
  const rows = await packagesOf(db, query)
    .leftJoin('org_packages as op', (join) =>
      join.onRef('op.package_number', '=', 'k.number').on('op.org_number', '=', orgNumber),
    )
    .select(['k.number', 'k.registry', 'k.name', 'k.version', 'op.spelling', 'op.license', 'op.projects'])
    .orderBy(sql`${first}k.name ${direction}, k.version ${direction}, k.number ${direction}`)
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({ ...row, number: Number(row.number) }))
}

export interface DependentRow {
  readonly package_number: number
  readonly project_number: number
  readonly id: string
  readonly name: string
  /** Number of projects with the package. */
  readonly projects: number
}

/** Maximum number of projects counted per package; beyond, the stored number of the organization's list is used. */
const COUNTED = 500
/** Packages per statement. */
const PACKAGES_AT_ONCE = 20

export interface ListedPackage {
  readonly number: number
  /** Includes deleted projects until they are purged; null for a package that is not in the list. */
  readonly projects: number | null
}

/**
 * Lists the first projects that contain each package, and their number. A package may be in all projects, so only the
 * first are read.
 */
export async function listDependents(
  db: Db,
  { orgNumber, filters, most }: DependencyQuery & { readonly most: number },
  packages: readonly ListedPackage[],
): Promise<DependentRow[]> {
  const { projectNumbers } = filters
  const among = projectNumbers ? sql` and ${inList('pp.project_number', projectNumbers)}` : sql``
  const having = (number: number) => sql`project_packages pp cross join projects p
    where p.number = pp.project_number and pp.package_number = ${number} and pp.org_number = ${orgNumber}${among}`
  const numbers = packages.map(({ number }) => number)
  const rows = await eachOf<Omit<DependentRow, 'projects'>>(db, numbers, (number) => {
    return sql`select named.* from (select pp.package_number, pp.project_number, p.id, p.name from ${having(number)}
      order by pp.project_number limit ${sql.lit(most)}) as named`
  })
  const rowsByPackage = Map.groupBy(rows, ({ package_number }) => Number(package_number))
  const projects = new Map([...rowsByPackage].map(([number, own]) => [number, own.length]))
  const counted: number[] = []
  for (const { number, projects: listed } of packages) {
    if (projects.get(number) !== most) continue
    if (projectNumbers === undefined && Number(listed) > COUNTED) projects.set(number, Number(listed))
    else counted.push(number)
  }
  const counts = await eachOf<{ package_number: number; projects: number }>(db, counted, (number) => {
    return sql`select max(package_number) as package_number, count(*) as projects
      from (select pp.package_number from ${having(number)}) as counted`
  })
  for (const row of counts) projects.set(Number(row.package_number), Number(row.projects))
  return rows
    .map((row) => ({ ...row, projects: projects.get(Number(row.package_number))! }))
    .sort((a, b) => Number(a.package_number) - Number(b.package_number) || a.project_number - b.project_number)
}

async function eachOf<Row>(
  db: Db,
  packages: readonly number[],
  question: (number: number) => RawBuilder<unknown>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let at = 0; at < packages.length; at += PACKAGES_AT_ONCE) {
    const questions = packages.slice(at, at + PACKAGES_AT_ONCE).map(question)
    rows.push(...(await sql<Row>`${sql.join(questions, sql` union all `)}`.execute(db)).rows)
  }
  return rows
}

export async function countIssuesOfPackages(
  db: Db,
  orgNumber: number,
  packages: readonly number[],
): Promise<{ package_number: number; severity: number; issues: number }[]> {
  if (packages.length === 0) return []
  return db
    .selectFrom('org_issues')
    .select(['package_number', 'severity', ({ fn }) => fn.countAll<number>().as('issues')])
    .where('org_number', '=', orgNumber)
    .where('package_number', 'in', packages)
    .groupBy(['package_number', 'severity'])
    .execute()
}

export async function findProjectNumbers(db: Db, orgId: string, ids: readonly string[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('projects')
    .select('number')
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ number }) => Number(number))
}
