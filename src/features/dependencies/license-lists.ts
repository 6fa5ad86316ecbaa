import { factsOf, type Registry } from '#analysis/registry-facts.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import { createSlices } from '#foundation/slices.ts'
import { getPackageManager } from '#scanning/reading/package-managers.ts'
import { findProjectNumbers } from '../issue-index/packages/dependencies-store.ts'
import { listContainers, listLabeledPackages } from '../issue-index/packages/package-labels-store.ts'
import { findOrgNumber } from '../issue-index/storage/packages-store.ts'
import { listLicensedProjects } from '../projects/store.ts'
import { type FoundLicenses, type GivenLicenses, UNKNOWN } from './found-licenses.ts'

const AT_ONCE = 2_000
const RETRY_SECONDS = 60

/**
 * Finds licenses without reading graphs: packages from the organization's list, projects from the licenses stored with
 * each.
 */
export async function readLicenseLists(db: Db, query: GivenLicenses, licenses: FoundLicenses): Promise<void> {
  const orgNumber = await findOrgNumber(db, query.orgId)
  if (orgNumber === undefined) return
  const packagesByLicense = await readPackages(db, { ...query, orgNumber }, licenses)
  if (query.dependencies?.length) await readContainers(db, packagesByLicense, { orgNumber, ids: query.ids, licenses })
  else await readProjects(db, query, licenses)
}

/** The requested packages by license, if the request names packages. */
type Named = ReadonlyMap<string, readonly number[]>

async function readPackages(
  db: Db,
  { orgId, orgNumber, ids, registries, dependencies }: GivenLicenses & { readonly orgNumber: number },
  licenses: FoundLicenses,
): Promise<Named> {
  const projectNumbers = ids && (await findProjectNumbers(db, orgId, ids))
  const requestedIds = dependencies?.length ? new Set(dependencies) : undefined
  const packagesByLicense = new Map<string, number[]>()
  const pause = createSlices()
  for (let after = 0; ; ) {
    const rows = await listLabeledPackages(db, { orgNumber, projectNumbers }, { after, limit: AT_ONCE })
    for (const { number, registry, spelling, version, license } of rows) {
      if (registries?.includes(registry as Registry) === false) continue
      if (spelling === null) throw notLabeledYet()
      const id = `${spelling}@${version}`
      if (requestedIds?.has(id) === false) continue
      const packageManager = factsOf(registry as Registry).packageManager
      licenses.addDependency(license ?? UNKNOWN, { id, name: spelling, version, packageManager })
      const others = packagesByLicense.get(license ?? UNKNOWN) ?? []
      if (requestedIds) packagesByLicense.set(license ?? UNKNOWN, [...others, number])
    }
    if (rows.length < AT_ONCE) return packagesByLicense
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
  packagesByLicense: Named,
  { orgNumber, ids, licenses }: Pick<GivenLicenses, 'ids'> & { orgNumber: number; licenses: FoundLicenses },
): Promise<void> {
  const requestedIds = ids && new Set(ids)
  const pause = createSlices()
  for (const [license, packages] of packagesByLicense) {
    for (let after = 0; ; ) {
      const rows = await listContainers(db, { orgNumber, packages }, { after, limit: AT_ONCE })
      for (const row of rows) if (requestedIds?.has(row.id) !== false) licenses.addProject(license, row)
      if (rows.length < AT_ONCE) break
      after = Number(rows.at(-1)!.number)
      await pause()
    }
  }
}

async function readProjects(db: Db, { orgId, ids, registries }: GivenLicenses, licenses: FoundLicenses): Promise<void> {
  const requestedIds = ids && new Set(ids)
  const all = { orgId, projectId: undefined, packageNames: undefined, ignoredAfter: undefined }
  const licenseIds = new Set(licenses.list().map(({ id }) => id))
  const licensesOf = createLicenseReader()
  const pause = createSlices()
  for (let from: readonly [number, string] | undefined; ; ) {
    const page = { from, inclusive: false, forward: true, limit: AT_ONCE }
    const rows = await listLicensedProjects(db, { ...all, ...page })
    for (const row of rows) {
      if (requestedIds?.has(row.id) === false) continue
      if (registries?.includes(getPackageManager(row.type).registry) === false) continue
      for (const license of licensesOf(row.licenses)) {
        // A test of another project has found the license since.
        if (license !== UNKNOWN || licenseIds.has(UNKNOWN)) licenses.addProject(license, row)
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
  const cache = new Map<string, readonly string[]>()
  return (stored) => {
    const licenses = cache.get(stored) ?? toLicenses(stored)
    if (cache.size < 10_000) cache.set(stored, licenses)
    return licenses
  }
}

/** Splits stored licenses: a key joins the licenses of one package name with line breaks; an empty one is unknown. */
function toLicenses(stored: string): string[] {
  const keys = Object.keys(JSON.parse(stored) as Record<string, number>)
  return [...new Set(keys.flatMap((key) => key.split('\n')))].map((license) => license || UNKNOWN)
}
