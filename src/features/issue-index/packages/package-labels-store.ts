import { sql } from 'kysely'
import type { StoredPackage } from '#analysis/findings/stored-graph.ts'
import type { Db } from '#foundation/db/database.ts'
import { toParts } from '../storage/packages-store.ts'

export interface PackageLabel {
  /** The name as spelled in the first project; null if no project was read. */
  readonly spelling: string | null
  /** The license from the last test that found one; null if none did. */
  readonly license: string | null
}

/** By the packages' numbers. */
export type PackageLabels = ReadonlyMap<number, PackageLabel>

export interface Relabeled {
  readonly orgNumber: number
  readonly labels: PackageLabels
}

const NONE: PackageLabel = { spelling: null, license: null }

export function toLabel({ name, license }: StoredPackage): PackageLabel {
  return { spelling: name, license: license ?? null }
}

/** Rows with a part of the packages and their labels, for `with`. */
export function labelRows(part: readonly number[], labels: PackageLabels) {
  const rows = [...new Set(part)].map((number) => {
    const { spelling, license } = labels.get(number) ?? NONE
    return sql`(cast(${number} as bigint), cast(${spelling} as text), cast(${license} as text))`
  })
  // Padding keeps the number of different statements small: see `toParts`.
  const rest = part.slice(rows.length).map(() => sql`(cast(${-1} as bigint), null, null)`)
  return sql`labeled (number, spelling, license) as (values ${sql.join([...rows, ...rest])})`
}

/** Returns the labels of an organization's list that a test changes. */
export async function findRelabeled(tx: Db, { orgNumber, labels }: Relabeled): Promise<Relabeled> {
  const changed = new Map<number, PackageLabel>()
  for (const [number, stored] of await findLabels(tx, orgNumber, [...labels.keys()])) {
    const { spelling, license } = labels.get(number)!
    const label = { spelling: stored.spelling ?? spelling, license: license ?? stored.license }
    if (label.spelling !== stored.spelling || label.license !== stored.license) changed.set(number, label)
  }
  return { orgNumber, labels: changed }
}

export async function findLabels(
  tx: Db,
  orgNumber: number,
  packages: readonly number[],
): Promise<Map<number, PackageLabel>> {
  const labels = new Map<number, PackageLabel>()
  for (const part of toParts(packages)) {
    const rows = await tx
      .selectFrom('org_packages')
      .select(['package_number', 'spelling', 'license'])
      .where('org_number', '=', orgNumber)
      .where('package_number', 'in', part)
      .execute()
    for (const { package_number, spelling, license } of rows) labels.set(Number(package_number), { spelling, license })
  }
  return labels
}

/** Stores labels. The rows must be locked. */
export async function saveLabels(tx: Db, { orgNumber, labels }: Relabeled): Promise<void> {
  for (const part of toParts([...labels.keys()])) {
    await sql`with ${labelRows(part, labels)}
      update org_packages set spelling = labeled.spelling, license = labeled.license from labeled
      where org_packages.org_number = ${sql.lit(orgNumber)} and org_packages.package_number = labeled.number`.execute(
      tx,
    )
  }
}

export interface UnlabeledPackage {
  readonly org_number: number
  readonly package_number: number
  readonly name: string
  /** A project that contains the package; null if only deleted ones did. */
  readonly project_number: number | null
}

/** Finds a package that was stored by a version without labels. */
export async function findUnlabeled(db: Db): Promise<UnlabeledPackage | undefined> {
  const { rows } = await sql<UnlabeledPackage>`
    select op.org_number, op.package_number, op.name, (
      select min(pp.project_number) from project_packages pp join projects p on p.number = pp.project_number
      where pp.package_number = op.package_number and pp.org_number = op.org_number
    ) as project_number
    from org_packages op where op.spelling is null order by op.org_number, op.package_number limit 1`.execute(db)
  return rows[0]
}

export interface LabeledPackage extends PackageLabel {
  readonly number: number
  readonly registry: string
  readonly version: string
}

interface ListedPackages {
  readonly orgNumber: number
  /** Only packages of these projects. */
  readonly projectNumbers: readonly number[] | undefined
}

interface NumberedPart {
  readonly after: number
  readonly limit: number
}

export async function listLabeledPackages(
  db: Db,
  { orgNumber, projectNumbers }: ListedPackages,
  { after, limit }: NumberedPart,
): Promise<LabeledPackage[]> {
  const among =
    projectNumbers === undefined
      ? sql``
      : projectNumbers.length === 0
        ? sql`and 1 = 0`
        : sql`and pp.project_number in (${sql.join([...projectNumbers])})`
  const { rows } = await sql<LabeledPackage>`
    select op.package_number as number, k.registry, op.version, op.spelling, op.license
    from org_packages op join packages k on k.number = op.package_number
    where op.org_number = ${orgNumber} and op.package_number > ${after} and k.number > ${after} and exists (
      select 1 from project_packages pp join projects p on p.number = pp.project_number
      where pp.package_number = op.package_number and pp.org_number = op.org_number ${among} limit 1 offset 0
    )
    order by op.package_number limit ${sql.lit(limit)}`.execute(db)
  return rows
}

export async function listContainers(
  db: Db,
  { orgNumber, packages }: { readonly orgNumber: number; readonly packages: readonly number[] },
  { after, limit }: NumberedPart,
): Promise<{ readonly number: number; readonly id: string; readonly name: string }[]> {
  return db
    .selectFrom('projects as p')
    .select(['p.number', 'p.id', 'p.name'])
    .where('p.number', '>', after)
    .where('p.number', 'in', (some) =>
      some
        .selectFrom('project_packages as pp')
        .select('pp.project_number')
        .where('pp.org_number', '=', orgNumber)
        .where('pp.package_number', 'in', packages),
    )
    .orderBy('p.number')
    .limit(sql.lit(limit))
    .execute()
}
