import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { lockRows } from '#foundation/db/transaction-lock.ts'
import { toParts } from '../storage/packages-store.ts'
import type { DependencyRow, DependencySort } from './dependencies-store.ts'
import { labelRows, type PackageLabels, type Relabeled, saveLabels } from './package-labels-store.ts'

/** Up to this number the count is exact; beyond, it includes packages of deleted projects until they are purged. */
const COUNTED = 1_000

interface NotedPackages {
  readonly orgNumber: number
  readonly packages: readonly number[]
  readonly labels: PackageLabels
}

/** Adds packages to an organization's list, whose issues are stored already. Locks in a fixed order: see `lockRows`. */
export async function noteOrgPackages(tx: Db, { orgNumber, packages, labels }: NotedPackages): Promise<void> {
  for (const part of toParts([...packages].sort((a, b) => a - b))) {
    await sql`with ${labelRows(part, labels)}
      insert into org_packages (org_number, package_number, name, version, projects, severity, spelling, license)
      select ${sql.lit(orgNumber)}, k.number, k.name, k.version, 0,
        (select coalesce(max(oi.severity), 0) from org_issues oi
          where oi.org_number = ${sql.lit(orgNumber)} and oi.package_number = k.number),
        labeled.spelling, labeled.license
      from packages k join labeled on labeled.number = k.number where true order by k.number
      on conflict do nothing`.execute(tx)
  }
}

/** Packages of an organization that are contained in one project more or less. */
export interface UseChange {
  readonly orgNumber: number
  readonly packages: readonly number[]
  readonly by: 1 | -1
}

/**
 * Updates the number of projects per package, and stores changed labels. First locks all rows in a fixed order (see
 * `lockRows`). Call it late in a transaction, since others that count the same packages wait for its end.
 */
export async function changeProjectCounts(tx: Db, changes: readonly UseChange[], relabeled?: Relabeled): Promise<void> {
  const changing = relabeled ? [...changes, { ...relabeled, packages: [...relabeled.labels.keys()] }] : changes
  const byOrg = Map.groupBy(changing, ({ orgNumber }) => orgNumber)
  for (const [orgNumber, own] of [...byOrg].sort(([one], [other]) => one - other)) {
    const packages = own.flatMap((change) => change.packages).sort((one, other) => one - other)
    for (const part of toParts(packages)) {
      const rows = countedRows(tx, orgNumber, part).select('package_number').orderBy('package_number')
      await lockRows(tx, rows.forUpdate())
    }
  }
  if (relabeled) await saveLabels(tx, relabeled)
  for (const { orgNumber, packages, by } of changes) {
    for (const part of toParts(packages)) {
      await tx
        .updateTable('org_packages')
        .set(({ eb }) => ({ projects: eb('projects', '+', by) }))
        .where('org_number', '=', orgNumber)
        .where('package_number', 'in', part)
        .execute()
    }
  }
}

function countedRows(tx: Db, orgNumber: number, packages: readonly number[]) {
  return tx.selectFrom('org_packages').where('org_number', '=', orgNumber).where('package_number', 'in', packages)
}

const worst = sql`(
  select coalesce(max(oi.severity), 0) from org_issues oi
  where oi.org_number = org_packages.org_number and oi.package_number = org_packages.package_number)`

/** Updates the worst severities of packages whose issues changed. Requires the lock on known issues. */
export async function saveWorstSeverities(tx: Db, packages: readonly number[]): Promise<void> {
  for (const part of toParts(packages)) {
    await sql`update org_packages set severity = ${worst} where package_number in (${sql.join(part)})
      and severity <> ${worst}`.execute(tx)
  }
}

// The offset makes PostgreSQL check rows in the order of the index instead of joining all of them.
const isThere = sql<boolean>`exists (
  select 1 from project_packages pp join projects p on p.number = pp.project_number
  where pp.package_number = op.package_number and pp.org_number = op.org_number limit 1 offset 0)`

export async function countOrgPackages(db: Db, orgNumber: number): Promise<number> {
  const listed = await countListed(db, sql`org_packages op where op.org_number = ${orgNumber}`)
  if (listed > COUNTED) return listed
  return countListed(db, sql`org_packages op where op.org_number = ${orgNumber} and ${isThere}`)
}

async function countListed(db: Db, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${from}`.execute(db)
  return Number(rows[0]!.count)
}

interface OrgPackageQuery {
  readonly orgNumber: number
  readonly sort: DependencySort
  readonly order: 'asc' | 'desc'
}

/**
 * Lists a page by its number: skips along the index alone, then reads existing packages. If deleted projects left rows,
 * a page begins too early, never too late.
 */
export async function listOrgPackages(
  db: Db,
  { orgNumber, sort, order }: OrgPackageQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<DependencyRow[]> {
  const names = [...(sort === 'dependency' ? [] : [sort]), 'name', 'version', 'package_number']
  const columns = sql.join(names.map((name) => sql.ref(`op.${name}`)))
  const ordered = sql.join(names.map((name) => sql`${sql.ref(`op.${name}`)} ${sql.raw(order)}`))
  const begin = await findBegin(db, { orgNumber, names, ordered, offset })
  if (offset > 0 && !begin) return []
  const operator = sql.raw(order === 'asc' ? '>=' : '<=')
  const from = begin ? sql`and (${columns}) ${operator} (${sql.join(names.map((name) => begin[name]))})` : sql``
  const { rows } = await sql<DependencyRow>`
    select op.package_number as number, (select k.registry from packages k where k.number = op.package_number) as registry,
      op.name, op.version, op.spelling, op.license, op.projects
    from org_packages op where op.org_number = ${orgNumber} and ${isThere} ${from}
    order by ${ordered} limit ${sql.lit(limit)}`.execute(db)
  return rows.map((row) => ({ ...row, number: Number(row.number) }))
}

interface Beginning {
  readonly orgNumber: number
  readonly names: readonly string[]
  readonly ordered: ReturnType<typeof sql>
  readonly offset: number
}

/** Skips rows without checking whether they still exist, unless that is fast. */
async function findBegin(
  db: Db,
  { orgNumber, names, ordered, offset }: Beginning,
): Promise<Record<string, string | number> | undefined> {
  if (offset === 0) return undefined
  const filter = offset <= COUNTED ? sql`and ${isThere}` : sql``
  const { rows } = await sql<Record<string, string | number>>`
    select ${sql.join(names.map((name) => sql.ref(`op.${name}`)))} from org_packages op
    where op.org_number = ${orgNumber} ${filter}
    order by ${ordered} limit 1 offset ${offset}`.execute(db)
  return rows[0]
}
