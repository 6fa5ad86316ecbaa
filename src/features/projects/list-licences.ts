import type { Severity } from '#analysis/advisories/cvss.ts'
import { judgeLicence, type LicencePolicy } from '#analysis/licences/judge-licence.ts'
import { parseLicence } from '#analysis/licences/licence-expression.ts'
import { findPolicy } from '#features/licence-policies/store.ts'
import { getPackageManager } from '#features/package-tests/package-managers.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import { createSlices } from '#foundation/slices.ts'
import { registriesOf } from './list-dependencies.ts'
import { unpackGraph } from './packed-state.ts'
import { findState } from './states-store.ts'
import { listProjectsAtOnce } from './store.ts'
import type { LicenceQuestion, Licences } from './v1-package-resource.ts'

/** Licences are in the graphs of projects: of no more of them than this at once. */
const MAX_PROJECTS = 200
const UNKNOWN = 'Unknown'

export const licenceSorts = ['license', 'dependencies', 'projects', 'severity'] as const
export type LicenceSort = (typeof licenceSorts)[number]

export interface WantedLicences {
  readonly orgId: string
  readonly filters: NonNullable<LicenceQuestion['filters']>
  readonly sort: LicenceSort
  readonly order: 'asc' | 'desc'
}

type Licence = Licences['results'][number]

export async function listOrgLicences(db: Db, wanted: WantedLicences): Promise<Licences> {
  const { orgId, filters, sort, order } = wanted
  const policy = await findPolicy(db, orgId)
  const found = new Map<string, Licence>()
  const seen = new Set<string>()
  const pause = createSlices()
  for (const project of await readProjects(db, wanted)) {
    await pause()
    const state = await findState(db, project.number)
    if (!state) continue
    const { packageManager, registry } = getPackageManager(project.type)
    if (registriesOf(filters.languages)?.includes(registry) === false) continue
    const { packages } = await unpackGraph(state.graph)
    for (const { name, version, licence = UNKNOWN } of packages.slice(1)) {
      const id = `${name}@${version}`
      if (filters.dependencies?.length && !filters.dependencies.includes(id)) continue
      const known = found.get(licence) ?? start(licence, policy)
      found.set(licence, known)
      const one = `${licence}\n${packageManager}\n${id}`
      if (!seen.has(one)) known.dependencies.push({ id, name, version, packageManager })
      seen.add(one)
      if (known.projects.at(-1)?.id !== project.id) known.projects.push({ id: project.id, name: project.name })
    }
  }
  const results = [...found.values()].filter((licence) => fits(licence, filters)).sort(by(sort))
  return { results: order === 'desc' ? results.reverse() : results, total: results.length }
}

async function readProjects(db: Db, { orgId, filters }: WantedLicences) {
  const ids = filters.projects?.length ? filters.projects.map((id) => id.toLowerCase()) : undefined
  const projects = await listProjectsAtOnce(db, { orgId, filters: { ids }, most: MAX_PROJECTS + 1 })
  if (projects.length <= MAX_PROJECTS) return projects
  throw new Problem(
    'unprocessable',
    `Ask for the licences of ${MAX_PROJECTS} projects at most; name them in filters.projects`,
    {
      source: { pointer: '/filters/projects' },
    },
  )
}

const order: readonly Licence['severity'][] = ['none', 'low', 'medium', 'high', 'critical']

function start(licence: string, policy: LicencePolicy | undefined): Licence {
  const expression = licence === UNKNOWN ? undefined : parseLicence(licence)
  const offences = policy ? judgeLicence(expression, policy) : []
  const severity = offences.reduce<Licence['severity']>(
    (worst, each: { severity: Severity }) =>
      order.indexOf(each.severity) > order.indexOf(worst) ? each.severity : worst,
    'none',
  )
  const instructions = [...new Set(offences.flatMap((each) => each.instructions))].join('\n')
  return { id: licence, severity, instructions, dependencies: [], projects: [] }
}

function fits(
  { id, severity }: Licence,
  { licenses = [], severity: severities = [] }: WantedLicences['filters'],
): boolean {
  if (licenses.length > 0 && !licenses.includes(id)) return false
  return severities.length === 0 || severities.includes(severity)
}

function by(sort: LicenceSort): (a: Licence, b: Licence) => number {
  const rank: Record<LicenceSort, (licence: Licence) => number> = {
    license: () => 0,
    dependencies: ({ dependencies }) => dependencies.length,
    projects: ({ projects }) => projects.length,
    severity: ({ severity }) => order.indexOf(severity),
  }
  return (a, b) => rank[sort](a) - rank[sort](b) || (a.id < b.id ? -1 : 1)
}
