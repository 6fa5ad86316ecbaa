import { randomUUID } from 'node:crypto'
import { parsePackage } from '#analysis/discovery/policy-files/ignore-path.ts'
import type { Advice, StoredGraph } from '#analysis/findings/stored-graph.ts'
import { findOrCreateTarget } from '#features/issue-index/recording/record-store.ts'
import { type RecordedTest, recordTest } from '#features/issue-index/recording/record-test.ts'
import { saveKnownIssues } from '#features/issue-index/storage/known-issues-store.ts'
import { findOrCreatePackages, textOf, toPackageKey } from '#features/issue-index/storage/packages-store.ts'
import type { Db } from '#foundation/db/database.ts'
import type { FoundIssue, ProjectTest } from '#scanning/results/project-form.ts'
import type { TestApp } from '../servers/app.ts'

/** An issue of a package, and what ends it. */
export interface IssueInput {
  readonly id: string
  /** As in the graph, `name@version`. */
  readonly in: string
  readonly severity?: FoundIssue['severity']
  /** Further ids of it. */
  readonly aliases?: readonly string[]
  readonly isPinnable?: boolean
  /** True if it is known to be exploited. */
  readonly isExploited?: boolean
  /** Each as `a@1.0.0 > b@1.0.0`; what ends it is the next version of the first. */
  readonly upgradable?: readonly string[]
  /** Versions that fix it, as its advisory says. */
  readonly fixedIn?: readonly string[]
}

export interface ProjectInput {
  readonly orgId?: string
  /** Projects of one name are one project, tested again. */
  readonly name?: string
  /** Packages to their dependencies: `{ project: ['a@1.0.0'], 'a@1.0.0': [] }`; the first is the project. */
  readonly graph: Readonly<Record<string, readonly string[]>>
  /** SPDX expressions of its packages. */
  readonly licenses?: Readonly<Record<string, string>>
  readonly issues?: readonly IssueInput[]
  /** True if the test left nothing out; default true. */
  readonly isComplete?: boolean
  /** Epoch milliseconds of the test; default: now. */
  readonly at?: number
}

/** Stores a test of a project whose graph, issues and advice are made by hand, as an import of it would. */
export async function recordProject(app: TestApp, input: ProjectInput): Promise<RecordedTest> {
  const { orgId = app.orgId, name = `project ${randomUUID()}` } = input
  const { db, now } = app.parts.services
  const { at = now() } = input
  const test = toTest(input)
  return db.transaction().execute(async (tx) => {
    await makeKnown(tx, test)
    const of = { orgId, integrationId: null, origin: 'cli', sourceKey: name, displayName: name, url: null }
    const targetId = await findOrCreateTarget(tx, { ...of, isPrivate: false }, at)
    const place = { orgId, targetId, type: 'npm', targetFile: null, targetReference: null, name, origin: 'cli' }
    const by = { id: null, name: 'a test' }
    const tested = { test, source: undefined, contentDigest: null, revision: null }
    return recordTest(tx, place, { ...tested, cause: 'monitor', by, at })
  })
}

/** A package that another project has already is known with its issues. */
async function makeKnown(tx: Db, { graph, issues }: ProjectTest): Promise<void> {
  const keys = graph.packages.map((entry) => toPackageKey('npm', entry))
  const { numbers } = await findOrCreatePackages(tx, 'npm', keys.slice(1))
  await saveKnownIssues(
    tx,
    issues.map((issue) => ({ packageNumber: numbers.get(textOf(keys[issue.package]!))!, issue })),
  )
}

/** Names of packages to their places in the graph. */
type Places = ReadonlyMap<string, number>

function toTest({ graph: lines, licenses = {}, issues = [], isComplete = true }: ProjectInput): ProjectTest {
  const names = Object.keys(lines)
  const places: Places = new Map(names.map((name, at) => [name, at]))
  const graph: StoredGraph = {
    packages: names.map((name, at) => ({
      ...(at === 0 ? { name, version: '' } : parsePackage(name)),
      ...(licenses[name] !== undefined && { license: licenses[name] }),
    })),
    nodes: Object.values(lines).map((edges, at) => ({ package: at, edges: edges.map((name) => places.get(name)!) })),
  }
  return {
    type: 'npm',
    packageManager: 'npm',
    language: 'js',
    registry: 'npm',
    graph,
    advice: issues.map((issue) => toAdvice(issue, places)),
    coverage: { ...coverageOf(names.length - 1), complete: isComplete },
    dependencyCount: names.length - 1,
    issues: issues.map((issue) => toFound(issue, places)),
  }
}

function toAdvice({ id, in: name, isPinnable = false, upgradable = [] }: IssueInput, places: Places): Advice {
  const upgradedPaths = upgradable.map((path) => path.split(' > '))
  return {
    issueId: id,
    package: places.get(name)!,
    isUpgradable: upgradable.length > 0,
    isPinnable,
    upgradePaths: upgradedPaths.map(([first, ...rest]) => [`${parsePackage(first!).name}@2.0.0`, ...rest]),
    upgradedPaths,
    fixedIn: [],
  }
}

function toFound(
  { id, in: name, severity = 'high', aliases = [], isExploited = false, fixedIn = [] }: IssueInput,
  places: Places,
): FoundIssue {
  return {
    package: places.get(name)!,
    issueId: id,
    severity,
    title: `Title of ${id}`,
    facts: {
      advisoryName: parsePackage(name).name,
      basis: 'assumed',
      exploitMaturity: isExploited ? 'mature' : 'no-known-exploit',
      isExploited,
      cve: [],
      cwe: [],
      ghsa: [],
      otherIds: [id, ...aliases],
      credit: [],
      publicationTime: '2024-01-01T00:00:00Z',
      disclosureTime: '2024-01-01T00:00:00Z',
      vulnerable: ['>=0'],
      hashesRange: [],
      vulnerableHashes: [],
      fixedIn: [...fixedIn],
    },
  }
}

function coverageOf(count: number): ProjectTest['coverage'] {
  return {
    complete: true,
    filesRead: [],
    locked: true,
    dependencies: { found: count, resolved: count, unresolved: 0 },
    unresolved: [],
    excluded: [],
    boundsMet: [],
    licenses: { known: 0, unknown: 0, unknownPackages: [], registryAsked: false },
    registryAnswers: { stale: 0, oldestStaleAt: null },
    advisories: {
      digest: 'made by hand',
      builtAt: '2024-01-01T00:00:00Z',
      newestAdvisory: '2024-01-01T00:00:00Z',
      records: 0,
      source: 'test',
      starterSet: true,
      knownExploited: 0,
    },
  }
}
