import type { Registry } from '#analysis/registries/registry.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import { createSlices } from '#foundation/slices.ts'
import { getPackageManager } from '#scanning/reading/package-managers.ts'
import { findProjectNumbers } from '../issue-index/packages/dependencies-store.ts'
import { listContainers, listLabeledPackages } from '../issue-index/packages/package-labels-store.ts'
import { findOrgNumber } from '../issue-index/storage/packages-store.ts'
import { listLicensedProjects } from '../projects/store.ts'
import { type FoundLicenses, type GivenLicenses, UNKNOWN } from './found-licenses.ts'
import { managerOfRegistry } from './list-dependencies.ts'

const AT_ONCE = 2_000
const RETRY_SECONDS = 60

/**
 * Finds licenses without reading graphs: packages from the organization's list, projects from the licenses stored with
 * each.
 */
export async function readLicenseLists(db: Db, given: GivenLicenses, found: FoundLicenses): Promise<void> {
  const orgNumber = await findOrgNumber(db, given.orgId)
  if (orgNumber === undefined) return
  const named = await readPackages(db, { ...given, orgNumber }, found)
  if (given.dependencies?.length) await readContainers(db, { orgNumber, named, ids: given.ids }, found)
  else await readProjects(db, given, found)
}

/** The requested packages by license, if the request names packages. */
type Named = ReadonlyMap<string, readonly number[]>

async function readPackages(
  db: Db,
  { orgId, orgNumber, ids, registries, dependencies }: GivenLicenses & { readonly orgNumber: number },
  found: FoundLicenses,
): Promise<Named> {
  const projectNumbers = ids && (await findProjectNumbers(db, orgId, ids))
  const wanted = dependencies?.length ? new Set(dependencies) : undefined
  const named = new Map<string, number[]>()
  const pause = createSlices()
  for (let after = 0; ; ) {
    const rows = await listLabeledPackages(db, { orgNumber, projectNumbers }, { after, limit: AT_ONCE })
    for (const { number, registry, spelling, version, license } of rows) {
      if (registries?.includes(registry as Registry) === false) continue
      if (spelling === null) throw notLabeledYet()
      const id = `${spelling}@${version}`
      if (wanted?.has(id) === false) continue
      const packageManager = managerOfRegistry[registry as Registry]
      found.addDependency(license ?? UNKNOWN, { id, name: spelling, version, packageManager })
      if (wanted) named.set(license ?? UNKNOWN, [...(named.get(license ?? UNKNOWN) ?? []), Number(number)])
    }
    if (rows.length < AT_ONCE) return named
    after = Number(rows.at(-1)!.number)
    await pause()
  }
}

function notLabeledYet(): Problem {
  return new Problem('unavailable', 'The licenses of stored packages are still being collected. Try again later.', {
    headers: { 'retry-after': String(RETRY_SECONDS) },
  })
}

async function readContainers(
  db: Db,
  { orgNumber, named, ids }: { orgNumber: number; named: Named; ids: readonly string[] | undefined },
  found: FoundLicenses,
): Promise<void> {
  const wanted = ids && new Set(ids)
  const pause = createSlices()
  for (const [license, packages] of named) {
    for (let after = 0; ; ) {
      const rows = await listContainers(db, { orgNumber, packages }, { after, limit: AT_ONCE })
      for (const row of rows) if (wanted?.has(row.id) !== false) found.addProject(license, row)
      if (rows.length < AT_ONCE) break
      after = Number(rows.at(-1)!.number)
      await pause()
    }
  }
}

async function readProjects(db: Db, { orgId, ids, registries }: GivenLicenses, found: FoundLicenses): Promise<void> {
  const wanted = ids && new Set(ids)
  const all = { orgId, projectId: undefined, packageNames: undefined, ignoredAfter: undefined }
  const named = new Set(found.list().map(({ id }) => id))
  const licensesOf = createLicenseReader()
  const pause = createSlices()
  for (let from: readonly [number, string] | undefined; ; ) {
    const page = { from, inclusive: false, forward: true, limit: AT_ONCE }
    const rows = await listLicensedProjects(db, { ...all, ...page })
    for (const row of rows) {
      if (wanted?.has(row.id) === false) continue
      if (registries?.includes(getPackageManager(row.type).registry) === false) continue
      for (const license of licensesOf(row.licenses)) {
        // A test of another project has found the license since.
        if (license !== UNKNOWN || named.has(UNKNOWN)) found.addProject(license, row)
      }
    }
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return
    from = [last.created_at, last.id]
    await pause()
  }
}

/** Caches the parsed texts: many projects store the same one. */
function createLicenseReader(): (stored: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return (stored) => {
    const licenses = known.get(stored) ?? toLicenses(stored)
    if (known.size < 10_000) known.set(stored, licenses)
    return licenses
  }
}

/** Splits stored licenses: a key joins the licenses of one package name with line breaks; an empty one is unknown. */
function toLicenses(stored: string): string[] {
  const keys = Object.keys(JSON.parse(stored) as Record<string, number>)
  return [...new Set(keys.flatMap((key) => key.split('\n')))].map((license) => license || UNKNOWN)
}
