import { normalizeName } from '#analysis/advisories/package-names.ts'
import { toSeverity } from '#analysis/findings/known-issue.ts'
import type { StoredPackage } from '#analysis/findings/stored-graph.ts'
import { factsOf, type Registry, registryFacts } from '#analysis/registry-facts.ts'
import type { Db } from '#foundation/db/database.ts'
import { createMemory } from '#foundation/db/memory.ts'
import { Problem } from '#foundation/problem.ts'
import { toLicenseIssueId, toLicenseTitle } from '#scanning/results/license-issues.ts'
import {
  countDependencies,
  countIssuesOfPackages,
  type DependencyFilters,
  type DependencyRow,
  type DependencySort,
  type DependentRow,
  findProjectNumbers,
  listDependencies,
  listDependents,
} from '../issue-index/packages/dependencies-store.ts'
import { countOrgPackages, listOrgPackages } from '../issue-index/packages/org-packages-store.ts'
import { noIssues } from '../issue-index/severity-counts.ts'
import { findOrgNumber, textOf, toPackageKey } from '../issue-index/storage/packages-store.ts'
import { unpackGraph } from '../issue-index/storage/packed-state.ts'
import { findState } from '../issue-index/storage/states-store.ts'
import { createReadQueue } from './read-queue.ts'
import type { Dependencies, DependencyQuestion } from './v1-package-resource.ts'

/** Maximum number of projects listed per dependency. */
const MAX_PROJECTS = 100

/** Further words for languages of registries. */
const languages: Readonly<Record<string, string>> = {
  javascript: 'js',
  node: 'js',
  scala: 'java',
  kotlin: 'java',
  go: 'golang',
}

/** Maps languages, and names of registries, to registries; unknown ones match nothing. */
export function registriesOf(names: readonly string[] | undefined): Registry[] | undefined {
  if (names === undefined || names.length === 0) return undefined
  const lower = new Set(names.map((name) => languages[name.toLowerCase()] ?? name.toLowerCase()))
  return registryFacts
    .filter(({ name, language }) => lower.has(language) || lower.has(name.toLowerCase()))
    .map(({ name }) => name)
}

export interface DependenciesInput {
  readonly orgId: string
  readonly filters: NonNullable<DependencyQuestion['filters']>
  readonly sort: DependencySort
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

/** Maximum number of projects and packages in cached pages, about 200 bytes each. */
const MAX_REMEMBERED = 50_000

const pages = createMemory<Dependencies>({
  maxWeight: MAX_REMEMBERED,
  weightOf: ({ results }) => results.reduce((sum, { projects }) => sum + projects.length + 1, 1),
})

const reads = createReadQueue<Dependencies>()

/**
 * Lists an organization's dependencies. Cached until the next commit, since a page lists many projects of each package.
 */
export async function listOrgDependencies(db: Db, input: DependenciesInput): Promise<Dependencies> {
  refuseUnknown(input.filters)
  const key = JSON.stringify(input)
  return pages.recall(db, key, () => reads.read(db, key, () => readPage(db, input)))
}

async function readPage(db: Db, input: DependenciesInput): Promise<Dependencies> {
  const orgNumber = await findOrgNumber(db, input.orgId)
  if (orgNumber === undefined) return { results: [], total: 0 }
  const filters = await toFilters(db, input)
  const of = { orgNumber, filters }
  const { sort, order, limit, offset } = input
  const isWhole = Object.values(filters).every((value) => value === undefined)
  const total = isWhole ? await countOrgPackages(db, orgNumber) : await countDependencies(db, of)
  const rows = isWhole
    ? await listOrgPackages(db, { orgNumber, sort, order }, { limit, offset })
    : await listDependencies(db, { ...of, sort, order }, { limit, offset })
  const numbers = rows.map(({ number }) => number)
  const dependents = Map.groupBy(await listDependents(db, { ...of, most: MAX_PROJECTS }, rows), (row) =>
    Number(row.package_number),
  )
  const unlabeled = rows.filter(({ spelling }) => spelling === null)
  const packagesByNumber = await readPackages(db, unlabeled, dependents)
  const counts = await countIssues(db, of.orgNumber, numbers)
  const results = rows.map((row) => toDependency(row, { packagesByNumber, dependents, counts }))
  return { results, total }
}

function refuseUnknown({ depStatus = 'any', licenses = [] }: DependenciesInput['filters']): void {
  if (depStatus !== 'any' && depStatus !== '') {
    throw new Problem('unprocessable', 'This server has no data on deprecated packages. Remove the filter.', {
      source: { pointer: '/filters/depStatus' },
    })
  }
  if (licenses.length > 0) {
    throw new Problem('unprocessable', 'Dependencies cannot be filtered by license. Use the operation for licenses.', {
      source: { pointer: '/filters/licenses' },
    })
  }
}

async function toFilters(db: Db, { orgId, filters }: DependenciesInput): Promise<DependencyFilters> {
  const { projects = [], dependencies = [], severity = [] } = filters
  const ids = projects.map((id) => id.toLowerCase())
  const levels = severity.flatMap((word) =>
    word === 'none' ? [] : [['low', 'medium', 'high', 'critical'].indexOf(word) + 1],
  )
  return {
    projectNumbers: projects.length === 0 ? undefined : await findProjectNumbers(db, orgId, ids),
    registries: registriesOf(filters.languages),
    packages: dependencies.length === 0 ? undefined : dependencies.flatMap(toPackages),
    // All four severities are the same as no filter.
    severities: severity.length === 0 || severity.includes('none') || levels.length === 4 ? undefined : levels,
  }
}

/** Returns each spelling under which the package may be stored. */
function toPackages(text: string): { name: string; version: string }[] {
  const at = text.lastIndexOf('@')
  const [name, version] = at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [text, '']
  return [...new Set(registryFacts.map((registry) => normalizeName(registry.name, name)))].map((name) => ({
    name,
    version,
  }))
}

type Dependents = ReadonlyMap<number, readonly DependentRow[]>

/** Labels packages from graphs, which contain the original spelling and license. One graph serves many packages. */
async function readPackages(
  db: Db,
  rows: readonly DependencyRow[],
  dependents: Dependents,
): Promise<ReadonlyMap<number, StoredPackage>> {
  const packagesByNumber = new Map<number, StoredPackage>()
  for (const { number } of rows) {
    const project = dependents.get(number)?.[0]?.project_number
    if (packagesByNumber.has(number) || project === undefined) continue
    const state = await findState(db, Number(project))
    if (!state) continue
    const { packages } = await unpackGraph(state.graph)
    for (const row of rows) {
      if (packagesByNumber.has(row.number)) continue
      const own = dependents.get(row.number)?.some((dependent) => Number(dependent.project_number) === Number(project))
      if (own) noteFound(packagesByNumber, row, packages)
    }
  }
  return packagesByNumber
}

function noteFound(
  packagesByNumber: Map<number, StoredPackage>,
  row: DependencyRow,
  packages: readonly StoredPackage[],
): void {
  const registry = row.registry as Registry
  const text = `${row.name}\n${row.version}\n`
  const match = packages.find((storedPackage) => textOf(toPackageKey(registry, storedPackage)).startsWith(text))
  if (match) packagesByNumber.set(row.number, match)
}

type Counts = ReadonlyMap<number, Record<keyof typeof noIssues, number>>

async function countIssues(db: Db, orgNumber: number, numbers: readonly number[]): Promise<Counts> {
  const counts = new Map(numbers.map((number) => [number, { ...noIssues }]))
  for (const { package_number, severity, issues } of await countIssuesOfPackages(db, orgNumber, numbers)) {
    counts.get(Number(package_number))![toSeverity(Number(severity))] += Number(issues)
  }
  return counts
}

function toDependency(
  { number, registry, spelling, license: storedLicense, projects: _, ...row }: DependencyRow,
  {
    packagesByNumber,
    dependents,
    counts,
  }: { packagesByNumber: ReadonlyMap<number, StoredPackage>; dependents: Dependents; counts: Counts },
): Dependencies['results'][number] {
  const { name, version, license } = packagesByNumber.get(number) ?? {
    ...row,
    name: spelling ?? row.name,
    license: storedLicense ?? undefined,
  }
  const manager = factsOf(registry as Registry).packageManager
  const { critical, high, medium, low } = counts.get(number)!
  const projects = dependents.get(number) ?? []
  const offense = license === undefined ? undefined : ({ license, severity: 'low', instructions: [] } as const)
  return {
    id: `${name}@${version}`,
    name,
    version,
    type: manager,
    packageManager: manager,
    issuesCritical: critical,
    issuesHigh: high,
    issuesMedium: medium,
    issuesLow: low,
    licenses: offense
      ? [{ id: toLicenseIssueId(manager, name, offense), title: toLicenseTitle(offense), license: offense.license }]
      : [],
    projects: projects.map((project) => ({ id: project.id, name: project.name })),
    projectsTotal: Number(projects[0]?.projects ?? 0),
  }
}
