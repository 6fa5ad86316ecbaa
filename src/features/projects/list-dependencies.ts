import { normaliseName } from '#analysis/advisories/package-names.ts'
import type { Registry } from '#analysis/ecosystems/ecosystem.ts'
import { toSeverity } from '#analysis/findings/known-issue.ts'
import { toLicenceIssueId, toLicenceTitle } from '#features/package-tests/licence-issues.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
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
} from './dependencies-store.ts'
import { countOrgPackages, listOrgPackages } from './org-packages-store.ts'
import { findOrgNumber, textOf, toPackageKey } from './packages-store.ts'
import { unpackGraph } from './packed-state.ts'
import type { StoredPackage } from './project-test.ts'
import { noIssues } from './severity-counts.ts'
import { findState } from './states-store.ts'
import type { Dependencies, DependencyQuestion } from './v1-package-resource.ts'

/** Projects that are named for each dependency. */
const MAX_PROJECTS = 100

/** The package manager that stands for each registry. */
const managerOfRegistry: Readonly<Record<Registry, string>> = {
  npm: 'npm',
  Maven: 'maven',
  PyPI: 'pip',
  RubyGems: 'rubygems',
  Go: 'golang',
}

const languages: Readonly<Record<string, Registry>> = {
  js: 'npm',
  javascript: 'npm',
  node: 'npm',
  java: 'Maven',
  scala: 'Maven',
  kotlin: 'Maven',
  python: 'PyPI',
  ruby: 'RubyGems',
  go: 'Go',
  golang: 'Go',
}

/** Languages that we know no packages of narrow to nothing, by themselves. */
export function registriesOf(names: readonly string[] | undefined): Registry[] | undefined {
  if (names === undefined || names.length === 0) return undefined
  return [...new Set(names.flatMap((name) => languages[name.toLowerCase()] ?? []))]
}

export interface WantedDependencies {
  readonly orgId: string
  readonly filters: NonNullable<DependencyQuestion['filters']>
  readonly sort: DependencySort
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

export async function listOrgDependencies(db: Db, wanted: WantedDependencies): Promise<Dependencies> {
  refuseUnknown(wanted.filters)
  const orgNumber = await findOrgNumber(db, wanted.orgId)
  if (orgNumber === undefined) return { results: [], total: 0 }
  const filters = await toFilters(db, wanted)
  const of = { orgNumber, filters }
  const { sort, order, limit, offset } = wanted
  const isWhole = Object.values(filters).every((value) => value === undefined)
  const total = isWhole ? await countOrgPackages(db, orgNumber) : await countDependencies(db, of)
  const rows = isWhole
    ? await listOrgPackages(db, { orgNumber, sort, order }, { limit, offset })
    : await listDependencies(db, { ...of, sort, order }, { limit, offset })
  const numbers = rows.map(({ number }) => number)
  const dependents = Map.groupBy(await listDependents(db, { ...of, most: MAX_PROJECTS }, numbers), (row) =>
    Number(row.package_number),
  )
  const found = await readPackages(db, rows, dependents)
  const counts = await countIssues(db, numbers)
  const results = rows.map((row) => toDependency(row, { found, dependents, counts }))
  return { results, total }
}

function refuseUnknown({ depStatus = 'any', licenses = [] }: WantedDependencies['filters']): void {
  if (depStatus !== 'any' && depStatus !== '') {
    throw new Problem('unprocessable', 'It is not known here which packages are deprecated', {
      source: { pointer: '/filters/depStatus' },
    })
  }
  if (licenses.length > 0) {
    throw new Problem('unprocessable', 'Dependencies are not found by licence here; ask for licenses instead', {
      source: { pointer: '/filters/licenses' },
    })
  }
}

async function toFilters(db: Db, { orgId, filters }: WantedDependencies): Promise<DependencyFilters> {
  const { projects = [], dependencies = [], severity = [] } = filters
  const ids = projects.map((id) => id.toLowerCase())
  const known = severity.flatMap((word) =>
    word === 'none' ? [] : [['low', 'medium', 'high', 'critical'].indexOf(word) + 1],
  )
  return {
    projectNumbers: projects.length === 0 ? undefined : await findProjectNumbers(db, orgId, ids),
    registries: registriesOf(filters.languages),
    packages: dependencies.length === 0 ? undefined : dependencies.flatMap(toPackages),
    // All four mean the same as none: whatever there is.
    severities: severity.length === 0 || severity.includes('none') || known.length === 4 ? undefined : known,
  }
}

/** Under each of the spellings by which it may be looked up. */
function toPackages(text: string): { name: string; version: string }[] {
  const at = text.lastIndexOf('@')
  const [name, version] = at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [text, '']
  const registries = Object.keys(managerOfRegistry) as Registry[]
  return [...new Set(registries.map((registry) => normaliseName(registry, name)))].map((each) => ({
    name: each,
    version,
  }))
}

type Dependents = ReadonlyMap<number, readonly DependentRow[]>

/** As a project's graph has it: with its own spelling, and its licence. One graph tells of many packages. */
async function readPackages(
  db: Db,
  rows: readonly DependencyRow[],
  dependents: Dependents,
): Promise<ReadonlyMap<number, StoredPackage>> {
  const found = new Map<number, StoredPackage>()
  for (const { number } of rows) {
    const project = dependents.get(number)?.[0]?.project_number
    if (found.has(number) || project === undefined) continue
    const state = await findState(db, Number(project))
    if (!state) continue
    const { packages } = await unpackGraph(state.graph)
    for (const row of rows) {
      if (found.has(row.number)) continue
      const own = dependents.get(row.number)?.some((each) => Number(each.project_number) === Number(project))
      if (own) noteFound(found, row, packages)
    }
  }
  return found
}

function noteFound(found: Map<number, StoredPackage>, row: DependencyRow, packages: readonly StoredPackage[]): void {
  const registry = row.registry as Registry
  const text = `${row.name}\n${row.version}\n`
  const match = packages.find((each) => textOf(toPackageKey(registry, each)).startsWith(text))
  if (match) found.set(row.number, match)
}

type Counts = ReadonlyMap<number, Record<keyof typeof noIssues, number>>

async function countIssues(db: Db, numbers: readonly number[]): Promise<Counts> {
  const counts = new Map(numbers.map((number) => [number, { ...noIssues }]))
  for (const { package_number, severity, issues } of await countIssuesOfPackages(db, numbers)) {
    counts.get(Number(package_number))![toSeverity(Number(severity))] += Number(issues)
  }
  return counts
}

function toDependency(
  { number, registry, ...row }: DependencyRow,
  { found, dependents, counts }: { found: ReadonlyMap<number, StoredPackage>; dependents: Dependents; counts: Counts },
): Dependencies['results'][number] {
  const { name, version, licence } = found.get(number) ?? { ...row, licence: undefined }
  const manager = managerOfRegistry[registry as Registry]
  const { critical, high, medium, low } = counts.get(number)!
  const projects = dependents.get(number) ?? []
  const offence = licence === undefined ? undefined : ({ licence, severity: 'low', instructions: [] } as const)
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
    licenses: offence
      ? [{ id: toLicenceIssueId(manager, name, offence), title: toLicenceTitle(offence), license: offence.licence }]
      : [],
    projects: projects.map((each) => ({ id: each.id, name: each.name })),
    projectsTotal: Number(projects[0]?.projects ?? 0),
  }
}
