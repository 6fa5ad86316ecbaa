import type { Registry } from '#analysis/ecosystems/ecosystem.ts'
import { type KnownIssue, toKnownIssue } from '#analysis/findings/known-issue.ts'
import { distinctPackages, matchGraph } from '#analysis/findings/match-graph.ts'
import { listPins } from '#analysis/findings/pin.ts'
import { type Advice, type StoredGraph, toStoredGraph } from '#analysis/findings/stored-graph.ts'
import { writeLicence } from '#analysis/licences/licence-expression.ts'
import { recommendableFixes } from '#analysis/versions/prerelease.ts'
import type { TestContext } from './context.ts'
import type { Coverage, Vulnerability } from './resource.ts'
import type { Tested } from './result.ts'

/** What a test of a project gives, as it is stored. */
export interface ProjectTest {
  /** The package manager's id: npm, yarn, maven …; of graphs that were resolved elsewhere, the name that they give. */
  readonly type: string
  /** The words for it in findings. */
  readonly packageManager: string
  readonly language: string
  readonly registry: Registry
  readonly graph: StoredGraph
  readonly advice: readonly Advice[]
  readonly coverage: Coverage
  /** Distinct packages at distinct versions. */
  readonly dependencyCount: number
  /** What the advisories of the test say of the graph's packages; `coverage.advisories.digest` names those. */
  readonly issues: readonly FoundIssue[]
}

export interface FoundIssue extends KnownIssue {
  /** An index into the graph's packages. */
  readonly package: number
}

/** Paths of one issue of one package for which it is kept what ends them. */
const MAX_UPGRADED_PATHS = 1000

/** The graph with its licences, and beside it what depends on paths: what is known of packages is looked up elsewhere. */
export function toProjectTest(
  { reading, licences, result }: Tested,
  { ecosystem, advisories }: TestContext,
): ProjectTest {
  const texts = new Map(
    licences.packages.map(({ found, expression }) => [
      textOf(found.package),
      expression === undefined ? undefined : writeLicence(expression),
    ]),
  )
  const graph = toStoredGraph(reading.graph, (node) => texts.get(textOf(node.package)))
  const { id, packageManager, language, registry } = ecosystem
  const affected = matchGraph(distinctPackages(reading.graph), ecosystem, advisories.snapshot)
  const issues = affected.flatMap(({ nodes, matches, advisoryName }) => {
    const number = graph.nodes[nodes[0]!]!.package
    return matches.map((match) => ({
      package: number,
      ...toKnownIssue(advisories.describe(match, { registry, name: advisoryName }), advisoryName),
    }))
  })
  const { coverage, dependencyCount, issues: listed } = result
  const byPackage = Map.groupBy(issues, (issue) => issue.package)
  const pins = new Map(
    affected.map(({ nodes }) => {
      const number = graph.nodes[nodes[0]!]!.package
      const all = byPackage.get(number)!.flatMap(({ facts }) => facts.fixedIn)
      const { versions: scheme } = ecosystem
      const fixes = recommendableFixes(all, graph.packages[number]!.version, scheme)
      return [number, listPins(nodes, { graph: reading.graph, scheme, fixes })]
    }),
  )
  const advice = toAdvice(graph, listed.vulnerabilities, pins)
  return { type: id, packageManager, language, registry, graph, advice, coverage, dependencyCount, issues }
}

function toAdvice(
  graph: StoredGraph,
  entries: readonly Vulnerability[],
  pins: ReadonlyMap<number, readonly string[]>,
): Advice[] {
  const numbers = new Map(graph.packages.map((each, number) => [textOf(each), number]))
  const byPackage = Map.groupBy(entries, ({ id, package: name, version }) => JSON.stringify([id, name, version]))
  return [...byPackage.values()].map((paths) => {
    const [first] = paths as [Vulnerability]
    const upgraded = paths.filter(({ isUpgradable }) => isUpgradable).slice(0, MAX_UPGRADED_PATHS)
    const number = numbers.get(textOf({ name: first.package, version: first.version }))!
    return {
      issueId: first.id,
      package: number,
      isUpgradable: upgraded.length > 0,
      isPinnable: first.isPinnable,
      ...(first.isPinnable && { pins: pins.get(number) ?? [] }),
      upgradePaths: upgraded.map(({ upgradePath }) => upgradePath),
      upgradedPaths: upgraded.map(({ from }) => from),
      fixedIn: first.fixedIn,
    }
  })
}

function textOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name}@${version}`
}
