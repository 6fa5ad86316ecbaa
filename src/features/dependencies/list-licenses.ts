import type { Severity } from '#analysis/advisories/cvss.ts'
import { judgeLicense, type LicensePolicy } from '#analysis/licenses/judge-license.ts'
import { parseLicense } from '#analysis/licenses/license-expression.ts'
import { findPolicy } from '#features/license-policies/store.ts'
import type { Db } from '#foundation/db/database.ts'
import { createMemory } from '#foundation/db/memory.ts'
import { createSlices } from '#foundation/slices.ts'
import { getPackageManager } from '#scanning/reading/package-managers.ts'
import { unpackGraph } from '../issue-index/storage/packed-state.ts'
import { findState } from '../issue-index/storage/states-store.ts'
import { listProjectsAtOnce, type ProjectRow } from '../projects/store.ts'
import { createFoundLicenses, type FoundLicenses, type GivenLicenses, UNKNOWN } from './found-licenses.ts'
import { readLicenseLists } from './license-lists.ts'
import { registriesOf } from './list-dependencies.ts'
import { createReadQueue } from './read-queue.ts'
import type { LicenseQuestion, Licenses } from './v1-package-resource.ts'

export const licenseSorts = ['license', 'dependencies', 'projects', 'severity'] as const
export type LicenseSort = (typeof licenseSorts)[number]

export interface LicensesInput {
  readonly orgId: string
  readonly filters: NonNullable<LicenseQuestion['filters']>
  readonly sort: LicenseSort
  readonly order: 'asc' | 'desc'
}

type License = Licenses['results'][number]

/** Number of projects up to which graphs are read. */
const FEW_PROJECTS = 200

/** Maximum number of packages and projects in cached lists, about 150 bytes each. */
const MAX_REMEMBERED = 100_000

const lists = createMemory<Licenses>({
  maxWeight: MAX_REMEMBERED,
  weightOf: ({ results }) =>
    results.reduce((sum, result) => sum + result.dependencies.length + result.projects.length, 1),
})

const reads = createReadQueue<Licenses>()

/**
 * Lists the licenses of packages: of a few projects from their graphs, of more from the organization's list, where each
 * package has its most recently found license. Cached until the next commit.
 */
export async function listOrgLicenses(db: Db, input: LicensesInput, fewProjects = FEW_PROJECTS): Promise<Licenses> {
  const key = JSON.stringify([input, fewProjects])
  return lists.recall(db, key, () => reads.read(db, key, () => readLicenses(db, input, fewProjects)))
}

async function readLicenses(db: Db, input: LicensesInput, fewProjects: number): Promise<Licenses> {
  const { orgId, filters, sort, order } = input
  const ids = filters.projects?.length ? filters.projects.map((id) => id.toLowerCase()) : undefined
  const policy = await findPolicy(db, orgId)
  const licenses = createFoundLicenses((license) => start(license, policy))
  const projects = await listProjectsAtOnce(db, { orgId, filters: { ids }, most: fewProjects + 1 })
  const query = { orgId, ids, registries: registriesOf(filters.languages), dependencies: filters.dependencies }
  if (projects.length <= fewProjects) await readGraphs(db, query, { projects, licenses })
  else await readLicenseLists(db, query, licenses)
  const results = licenses
    .list()
    .filter((license) => fits(license, filters))
    .sort(by(sort))
  return { results: order === 'desc' ? results.reverse() : results, total: results.length }
}

async function readGraphs(
  db: Db,
  { registries, dependencies }: GivenLicenses,
  { projects, licenses }: { projects: readonly ProjectRow[]; licenses: FoundLicenses },
): Promise<void> {
  const pause = createSlices()
  for (const project of projects) {
    await pause()
    const state = await findState(db, project.number)
    if (!state) continue
    const { packageManager, registry } = getPackageManager(project.type)
    if (registries?.includes(registry) === false) continue
    const { packages } = await unpackGraph(state.graph)
    for (const { name, version, license = UNKNOWN } of packages.slice(1)) {
      const id = `${name}@${version}`
      if (dependencies?.length && !dependencies.includes(id)) continue
      licenses.addDependency(license, { id, name, version, packageManager })
      licenses.addProject(license, project)
    }
  }
}

const order: readonly License['severity'][] = ['none', 'low', 'medium', 'high', 'critical']

function start(license: string, policy: LicensePolicy | undefined): License {
  const expression = license === UNKNOWN ? undefined : parseLicense(license)
  const offenses = policy ? judgeLicense(expression, policy) : []
  const severity = offenses.reduce<License['severity']>(
    (worst, offense: { severity: Severity }) =>
      order.indexOf(offense.severity) > order.indexOf(worst) ? offense.severity : worst,
    'none',
  )
  const instructions = [...new Set(offenses.flatMap((offense) => offense.instructions))].join('\n')
  return { id: license, severity, instructions, dependencies: [], dependenciesTotal: 0, projects: [], projectsTotal: 0 }
}

function fits(
  { id, severity }: License,
  { licenses = [], severity: severities = [] }: LicensesInput['filters'],
): boolean {
  if (licenses.length > 0 && !licenses.includes(id)) return false
  return severities.length === 0 || severities.includes(severity)
}

function by(sort: LicenseSort): (a: License, b: License) => number {
  const rank: Record<LicenseSort, (license: License) => number> = {
    license: () => 0,
    dependencies: ({ dependenciesTotal }) => dependenciesTotal,
    projects: ({ projectsTotal }) => projectsTotal,
    severity: ({ severity }) => order.indexOf(severity),
  }
  return (a, b) => rank[sort](a) - rank[sort](b) || (a.id < b.id ? -1 : 1)
}
