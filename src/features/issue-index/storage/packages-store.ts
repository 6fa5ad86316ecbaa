import { type Selectable, sql } from 'kysely'
import { commitName } from '#analysis/advisories/commits.ts'
import { normalizeName } from '#analysis/advisories/package-names.ts'
import type { StoredGraph, StoredPackage } from '#analysis/findings/stored-graph.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import type { Db } from '#foundation/db/database.ts'
import { insertMissing } from '#foundation/db/insert-missing.ts'
import { prepared, remembered } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { createSlices, forEachInSlices, sortInSlices } from '#foundation/slices.ts'
import { noteNameParts } from './issue-search-store.ts'

export type PackageRow = Selectable<Tables['packages']>

/** A package, stored once for all projects. */
export interface PackageKey {
  /** The normalized name, as in advisories. */
  readonly name: string
  readonly version: string
  /** JSON of the other data that determine its issues, or empty. */
  readonly variant: string
}

/** Further keys of a package's issues: projects share issues only if these are equal too. */
export type Variant = Pick<StoredPackage, 'advisoryNames' | 'commit' | 'notImported'>

/** Lists are padded to these sizes with their last element, so that few statements are prepared. */
const SIZES = [8, 64, 400] as const
const MOST = SIZES.at(-1)!

/** Returns a unique text for each package of any registry. */
export function textIn(registry: string, key: PackageKey): string {
  return `${registry}\n${textOf(key)}`
}

/** Returns the text of a package of a graph; `registry` is that of its project. */
export function textOfStored(registry: Registry, stored: StoredPackage): string {
  const { registry: own = registry } = stored
  return own === 'none' ? '' : textIn(own, toPackageKey(own, stored))
}

/** Returns the indices of a graph's packages, without its root, by `textOfStored`. */
export function indicesByText({ packages }: StoredGraph, registry: Registry): ReadonlyMap<string, number[]> {
  return Map.groupBy(packages.keys().drop(1), (index) => textOfStored(registry, packages[index]!))
}

export function toPackageKey(registry: Registry, stored: StoredPackage): PackageKey {
  const { name, version, advisoryNames, commit, notImported } = stored
  const variant: Variant = {
    ...(advisoryNames && { advisoryNames }),
    ...(commit !== undefined && { commit }),
    ...(notImported && { notImported }),
  }
  const isPlain = Object.keys(variant).length === 0
  return { name: normalizeName(registry, name), version, variant: isPlain ? '' : JSON.stringify(variant) }
}

export function parseVariant(text: string): Variant {
  return text === '' ? {} : (JSON.parse(text) as Variant)
}

/** Returns a unique text for each package of a registry. */
export function textOf({ name, version, variant }: PackageKey): string {
  return `${name}\n${version}\n${variant}`
}

export interface FoundPackages {
  /** Numbers by `textOf`. */
  readonly numbers: ReadonlyMap<string, number>
  /** New packages; existing ones have known issues already. */
  readonly created: readonly number[]
}

/** Finds or creates packages in a fixed order, so that transactions with the same packages cannot deadlock. */
export async function findOrCreatePackages(
  tx: Db,
  registry: Registry,
  packageKeys: readonly PackageKey[],
): Promise<FoundPackages> {
  const byText = new Map<string, PackageKey>()
  await forEachInSlices(packageKeys, (key) => byText.set(textOf(key), key))
  const numbers = new Map<string, number>()
  const note = (rows: readonly PackageRow[]) =>
    forEachInSlices(rows, (row) => numbers.set(textOf(row), Number(row.number)))
  await note(await findPackages(tx, registry, [...byText.values()]))
  const listMissing = async () => {
    const missing: string[] = []
    if (numbers.size < byText.size)
      await forEachInSlices(byText.keys(), (text) => {
        if (!numbers.has(text)) missing.push(text)
      })
    return missing
  }
  const missing = await sortInSlices(await listMissing(), (a, b) => (a < b ? -1 : 1))
  if (missing.length === 0) return { numbers, created: [] }
  const toKeys = (texts: readonly string[]) => texts.map((text) => byText.get(text)!)
  const rows = await insertPackages(tx, registry, toKeys(missing))
  await note(rows)
  // Rows that another process inserted meanwhile.
  await note(await findPackages(tx, registry, toKeys(await listMissing())))
  await insertNames(tx, registry, rows)
  await noteNameParts(tx, rows)
  return { numbers, created: rows.map(({ number }) => Number(number)) }
}

async function findPackages(db: Db, registry: Registry, packageKeys: readonly PackageKey[]): Promise<PackageRow[]> {
  const packageRows: PackageRow[] = []
  const pause = createSlices()
  for (const part of toParts(packageKeys)) {
    await pause()
    const keys = part.map(({ name, version, variant }) => sql`(${name}, ${version}, ${variant})`)
    const rows = await db
      .selectFrom('packages')
      .selectAll()
      .where('registry', '=', registry)
      .where(sql<boolean>`(name, version, variant) in (values ${sql.join(keys)})`)
      .execute()
    packageRows.push(...rows)
  }
  return packageRows
}

async function insertPackages(tx: Db, registry: Registry, packageKeys: readonly PackageKey[]): Promise<PackageRow[]> {
  const inserted: PackageRow[] = []
  const pause = createSlices()
  for (const part of toParts(packageKeys)) {
    await pause()
    const values = part.map(({ name, version, variant }) => ({ registry, name, version, variant }))
    const rows = await tx
      .insertInto('packages')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .execute()
    inserted.push(...rows)
  }
  return inserted
}

async function insertNames(tx: Db, registry: Registry, rows: readonly PackageRow[]): Promise<void> {
  const names = rows.flatMap((row) =>
    otherNamesOf(row).map((name) => ({ registry, name, package_number: Number(row.number) })),
  )
  await insertMissing(tx, 'package_names', names)
}

/** Returns further names under which advisories may list the package (see match-graph.ts). */
function otherNamesOf({ name, variant }: PackageKey): string[] {
  if (variant === '') return []
  const { advisoryNames = [], commit } = parseVariant(variant)
  const all = [name, ...advisoryNames]
  const commits = commit === undefined ? [] : all.map((name) => commitName(name, commit))
  return [...new Set([...advisoryNames, ...commits])].filter((advisoryName) => advisoryName !== name)
}

/** Finds packages that advisories list under one of these names. */
export async function findPackagesNamed(db: Db, registry: Registry, names: readonly string[]): Promise<PackageRow[]> {
  const rowsByNumber = new Map<number, PackageRow>()
  for (const part of toParts(names)) {
    const own = await db
      .selectFrom('packages')
      .selectAll()
      .where('registry', '=', registry)
      .where('name', 'in', part)
      .execute()
    const others = await db
      .selectFrom('package_names as n')
      .innerJoin('packages as p', 'p.number', 'n.package_number')
      .selectAll('p')
      .where('n.registry', '=', registry)
      .where('n.name', 'in', part)
      .execute()
    for (const row of [...own, ...others]) rowsByNumber.set(Number(row.number), row)
  }
  return [...rowsByNumber.values()]
}

export async function listPackages(db: Db, after: number, limit: number): Promise<PackageRow[]> {
  return db
    .selectFrom('packages')
    .selectAll()
    .where('number', '>', after)
    .orderBy('number')
    .limit(sql.lit(limit))
    .execute()
}

export async function findPackagesByNumber(db: Db, numbers: readonly number[]): Promise<PackageRow[]> {
  const query = db.selectFrom('packages').selectAll()
  return (await Array.fromAsync(toParts(numbers), (part) => query.where('number', 'in', part).execute())).flat()
}

/** Returns a project's packages and package manager, which is undefined if the project was deleted. */
export async function findPackagesOfProject(
  db: Db,
  projectNumber: number,
): Promise<{ readonly type: string | undefined; readonly packages: readonly PackageRow[] }> {
  const project = await db.selectFrom('projects').select('type').where('number', '=', projectNumber).executeTakeFirst()
  const packages = await db
    .selectFrom('project_packages as pp')
    .innerJoin('packages as k', 'k.number', 'pp.package_number')
    .selectAll('k')
    .where('pp.project_number', '=', projectNumber)
    .execute()
  return { type: project?.type, packages }
}

export async function findOrCreateOrgNumber(tx: Db, orgId: string): Promise<number> {
  const existing = await findOrgNumber(tx, orgId)
  if (existing !== undefined) return existing
  await insertMissing(tx, 'org_numbers', [{ org_id: orgId }])
  return (await findOrgNumber(tx, orgId))!
}

const numberOfOrg = remembered((db: Db, { orgId }: { orgId: string }) =>
  db.selectFrom('org_numbers').select('number').where('org_id', '=', orgId),
)

export async function findOrgNumber(db: Db, orgId: string): Promise<number | undefined> {
  const [row] = await numberOfOrg(db, { orgId })
  return row && Number(row.number)
}

export async function replaceProjectPackages(
  tx: Db,
  { projectNumber, orgNumber }: { projectNumber: number; orgNumber: number },
  { packages: after, direct }: { packages: ReadonlySet<number>; direct: ReadonlySet<number> },
): Promise<{ added: number[]; removed: number[] }> {
  const stored = await tx
    .selectFrom('project_packages')
    .select(['package_number', 'is_direct'])
    .where('project_number', '=', projectNumber)
    .execute()
  const before = new Map(stored.map((row) => [Number(row.package_number), Number(row.is_direct) === 1]))
  const pause = createSlices()
  const added = await sortInSlices(
    [...after].filter((number) => !before.has(number)),
    (a, b) => a - b,
  )
  await pause()
  const removed = [...before.keys()].filter((number) => !after.has(number))
  const changed = [...after].filter((number) => before.has(number) && before.get(number) !== direct.has(number))
  const owner = { project_number: projectNumber, org_number: orgNumber }
  const rows = added.map((number) => ({ ...owner, package_number: number, is_direct: direct.has(number) ? 1 : 0 }))
  await insertMissing(tx, 'project_packages', rows)
  for (const part of toParts(removed)) {
    await pause()
    await tx
      .deleteFrom('project_packages')
      .where('project_number', '=', projectNumber)
      .where('package_number', 'in', part)
      .execute()
  }
  for (const part of toParts(changed.sort((a, b) => a - b))) {
    await tx
      .updateTable('project_packages')
      .set({ is_direct: sql<number>`1 - is_direct` })
      .where('project_number', '=', projectNumber)
      .where('package_number', 'in', part)
      .execute()
  }
  return { added, removed }
}

export async function moveProjectPackages(tx: Db, projectNumber: number, orgNumber: number): Promise<number[]> {
  const rows = await tx
    .updateTable('project_packages')
    .set({ org_number: orgNumber })
    .where('project_number', '=', projectNumber)
    .returning('package_number')
    .execute()
  return rows.map(({ package_number }) => Number(package_number))
}

/** Splits a list into parts of a few sizes. */
export function toParts<T>(list: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < list.length; at += MOST) {
    const part = list.slice(at, at + MOST)
    const size = SIZES.find((size) => size >= part.length)!
    const last = part.at(-1)!
    parts.push([...part, ...Array.from({ length: size - part.length }, () => last)])
  }
  return parts
}

const projectsOfPackage = prepared(
  (
    db: Db,
    { packageNumber, orgNumber, after, limit }: Record<'packageNumber' | 'orgNumber' | 'after' | 'limit', number>,
  ) =>
    db
      .selectFrom('project_packages')
      .select('project_number')
      .where('package_number', '=', packageNumber)
      .where('org_number', '=', orgNumber)
      .where('project_number', '>', after)
      .orderBy('project_number')
      .limit(limit),
)

/** Lists the numbers of an organization's projects with a package, in ascending order. */
export async function listProjectsOfPackage(db: Db, of: Parameters<typeof projectsOfPackage>[1]): Promise<number[]> {
  return (await projectsOfPackage(db, of)).map(({ project_number }) => Number(project_number))
}
