import { randomUUID } from 'node:crypto'
import { toKnownIssue } from '#analysis/findings/known-issue.ts'
import { distinctPackages, matchGraph } from '#analysis/findings/match-graph.ts'
import type { StoredPackage } from '#analysis/findings/stored-graph.ts'
import { type Advice, toDependencyGraph } from '#analysis/findings/stored-graph.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { findOrCreateTarget } from '#features/issue-index/recording/record-store.ts'
import { type RecordedTest, recordTest, type TestedProject } from '#features/issue-index/recording/record-test.ts'
import type { Db } from '#foundation/db/database.ts'
import type { OpenAdvisories } from '#scanning/advisories/open-advisories.ts'
import { getPackageManager } from '#scanning/reading/package-managers.ts'
import type { ProjectTest } from '#scanning/results/project-form.ts'

export interface GivenProject {
  /** `name@version`, each asked for by the project itself, or with what else is known of it. */
  readonly packages: readonly (string | StoredPackage)[]
  /** From one package to others, by their places in `packages`; what nothing leads to hangs on the project. */
  readonly edges?: Readonly<Record<number, readonly number[]>>
  readonly type?: string
  readonly advice?: readonly Advice[]
}

/** The test of a project as a thread would make it with these advisories. */
export function toTest(project: GivenProject, advisories: OpenAdvisories): ProjectTest {
  const { packages: listed, edges = {}, type = 'npm', advice = [] } = project
  const manager = getPackageManager(type)
  const own = listed.map((entry) => (typeof entry === 'string' ? toPackage(entry) : entry))
  const packages = [{ name: 'project', version: '1.0.0' }, ...own]
  const below = new Set(Object.values(edges).flat())
  const direct = own.flatMap((_, at) => (below.has(at) ? [] : [at + 1]))
  const nodes = packages.map((_, at) => ({
    package: at,
    edges: at === 0 ? direct : (edges[at - 1] ?? []).map((to) => to + 1),
  }))
  const graph = { packages, nodes }
  const affected = matchGraph(distinctPackages(toDependencyGraph(graph)), manager, advisories.snapshot)
  const issues = affected.flatMap(({ nodes: at, matches, advisoryName: name }) =>
    matches.map((match) => ({
      package: at[0]!,
      ...toKnownIssue(advisories.describe(match, { registry: manager.registry, name }), name),
    })),
  )
  const { packageManager, language, registry } = manager
  const { header } = advisories.snapshot
  const coverage = toCoverage(registry, { digest: header.digest, packages: own.length })
  return { type, packageManager, language, registry, graph, advice, coverage, dependencyCount: own.length, issues }
}

function toPackage(text: string): StoredPackage {
  const at = text.lastIndexOf('@')
  return { name: text.slice(0, at), version: text.slice(at + 1) }
}

function toCoverage(
  registry: Registry,
  { digest, packages }: { digest: string; packages: number },
): ProjectTest['coverage'] {
  return {
    complete: true,
    filesRead: [`lockfile (${registry})`],
    locked: true,
    dependencies: { found: packages, resolved: packages, unresolved: 0 },
    unresolved: [],
    excluded: [],
    boundsMet: [],
    licenses: { known: packages, unknown: 0, unknownPackages: [], registryAsked: false },
    registryAnswers: { stale: 0, oldestStaleAt: null },
    advisories: {
      digest,
      builtAt: new Date(0).toISOString(),
      newestAdvisory: '',
      records: 0,
      source: 'test',
      starterSet: false,
      knownExploited: 0,
    },
  }
}

export interface Recording extends Partial<TestedProject> {
  readonly orgId: string
  readonly test: ProjectTest
  /** Names the target; the same one for the same text. */
  readonly target?: string
  readonly file?: string
  readonly name?: string
}

/** Records a test in its own transaction; creates the target if it does not exist. */
export async function record(db: Db, recording: Recording): Promise<RecordedTest & { readonly targetId: string }> {
  const { orgId, test, target = randomUUID(), file = 'package.json', name = `${target}:${file}`, ...rest } = recording
  const at = rest.at ?? Date.now()
  return db.transaction().execute(async (tx) => {
    const targetFields = {
      orgId,
      integrationId: null,
      origin: 'cli',
      sourceKey: target,
      displayName: target,
      url: null,
    }
    const targetId = await findOrCreateTarget(tx, { ...targetFields, isPrivate: true }, at)
    const place = { orgId, targetId, type: test.type, targetFile: file, targetReference: null, name, origin: 'cli' }
    const recorded = await recordTest(tx, place, {
      test,
      source: undefined,
      contentDigest: null,
      revision: null,
      cause: 'import',
      by: { id: null, name: 'Somebody' },
      ...rest,
      at,
    })
    return { ...recorded, targetId }
  })
}
