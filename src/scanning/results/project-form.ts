import type { GraphNode } from '#analysis/dependency-graph.ts'
import type { NotImportedIds } from '#analysis/findings/imported.ts'
import { type KnownIssue, toKnownIssue } from '#analysis/findings/known-issue.ts'
import { distinctPackages, matchGraph } from '#analysis/findings/match-graph.ts'
import { type Advice, type StoredGraph, type StoredPackage, toStoredGraph } from '#analysis/findings/stored-graph.ts'
import { writeLicense } from '#analysis/licenses/license-expression.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { managerOf, type TestedEcosystem } from '../reading/package-managers.ts'
import type { ProjectPolicy } from '../reading/project-policy.ts'
import type { TestContext } from './context.ts'
import { toJudgments } from './not-imported.ts'
import type { Tested } from './result.ts'
import type { Coverage, NotImported, Vulnerability } from './test-result.ts'

/** The storable result of a project test. */
export interface ProjectTest {
  /** The package manager's id, such as npm, yarn or maven; for graphs that a client resolved, the name in the graph. */
  readonly type: string
  /** The package manager's name in findings. */
  readonly packageManager: string
  readonly language: string
  readonly registry: Registry
  readonly graph: StoredGraph
  readonly advice: readonly Advice[]
  readonly coverage: Coverage
  /** The rules of the project's policy file; undefined without one. */
  readonly policy?: ProjectPolicy
  /** Distinct packages at distinct versions. */
  readonly dependencyCount: number
  /** The issues of the graph's packages, from the advisories named by `coverage.advisories.digest`. */
  readonly issues: readonly FoundIssue[]
}

export interface FoundIssue extends KnownIssue {
  /** Index into the graph's packages. */
  readonly package: number
}

/** Limit on the paths of one issue of one package whose upgrades are stored. */
const MAX_UPGRADED_PATHS = 1000

/** Returns the graph with its licenses, the issues of its packages, and the advice that depends on paths. */
export function toProjectTest(
  { reading, licenses, result }: Tested,
  { ecosystem, advisories, policy }: TestContext,
): ProjectTest {
  const texts = new Map(
    licenses.packages.map(({ distinct, expression }) => [
      textOf(distinct.node),
      expression === undefined ? undefined : writeLicense(expression),
    ]),
  )
  const judgments = toJudgments(result.notImported ?? [])
  const graph = withJudgments(
    toStoredGraph(reading.graph, (node) => texts.get(textOf(node))),
    judgments,
  )
  const { id, packageManager, language, registry } = ecosystem
  const affected = matchGraph(distinctPackages(reading.graph), ecosystem, advisories.snapshot)
  const issues = affected.flatMap(({ nodes, matches, advisoryName, registry: of }) => {
    const number = graph.nodes[nodes[0]!]!.package
    const { notImported = {} } = graph.packages[number]!
    return matches
      .map((match) => ({
        package: number,
        ...toKnownIssue(advisories.describe(match, { registry: of, name: advisoryName }), advisoryName),
      }))
      .filter(({ issueId }) => !Object.hasOwn(notImported, issueId))
  })
  const { coverage, dependencyCount, issues: listed } = result
  const nameOf = ({ registry: of }: StoredPackage) =>
    of === undefined || of === 'none' ? packageManager : managerOf(ecosystem, of).packageManager
  const numbers = new Map(
    graph.packages.map((storedPackage, number) => [
      keyOf({ ...storedPackage, packageManager: nameOf(storedPackage) }),
      number,
    ]),
  )
  const advice = toAdvice(numbers, listed.vulnerabilities, ecosystem)
  return {
    type: id,
    packageManager,
    language,
    registry,
    graph,
    advice,
    coverage: withNotImported(coverage, result.notImported, judgments),
    ...(policy && { policy }),
    dependencyCount,
    issues,
  }
}

function withJudgments(graph: StoredGraph, judgments: ReadonlyMap<string, NotImportedIds>): StoredGraph {
  if (judgments.size === 0) return graph
  const packages = graph.packages.map((storedPackage) => {
    const notImported = judgments.get(`${storedPackage.name}@${storedPackage.version}`)
    return notImported === undefined ? storedPackage : { ...storedPackage, notImported }
  })
  return { ...graph, packages }
}

function withNotImported(
  coverage: Coverage,
  notImported: readonly NotImported[] | undefined,
  judgments: ReadonlyMap<string, NotImportedIds>,
): Coverage {
  if (notImported === undefined) return coverage
  const isJudged = ({ id, package: name, version }: NotImported) =>
    Object.hasOwn(judgments.get(`${name}@${version}`) ?? {}, id)
  return { ...coverage, notImported: notImported.filter(isJudged) }
}

function toAdvice(
  numbers: ReadonlyMap<string, number>,
  entries: readonly Vulnerability[],
  ecosystem: TestedEcosystem,
): Advice[] {
  const numberOf = (entry: Vulnerability) => numbers.get(keyOf({ ...entry, name: entry.package }))!
  const pinnable = Map.groupBy(
    entries.filter(({ isPinnable }) => isPinnable),
    numberOf,
  )
  const byPackage = Map.groupBy(entries, ({ id, package: name, version, packageManager }) =>
    JSON.stringify([id, name, version, packageManager]),
  )
  return [...byPackage.values()].map((paths) => {
    const [first] = paths as [Vulnerability]
    const upgraded = paths.filter(({ isUpgradable }) => isUpgradable).slice(0, MAX_UPGRADED_PATHS)
    const number = numberOf(first)
    return {
      issueId: first.id,
      package: number,
      isUpgradable: upgraded.length > 0,
      isPinnable: first.isPinnable,
      ...(first.isPinnable && { pins: listPins(pinnable.get(number)!, ecosystem) }),
      upgradePaths: upgraded.map(({ upgradePath }) => upgradePath),
      upgradedPaths: upgraded.map(({ from }) => from),
      fixedIn: first.fixedIn,
    }
  })
}

/** Returns the versions to which the issues of one package pin it, smallest first. */
function listPins(entries: readonly Vulnerability[], ecosystem: TestedEcosystem): string[] {
  // Only packages of PyPI are pinned, also in graphs of several registries.
  const { versions } = managerOf(ecosystem, 'PyPI')
  return [...new Set(entries.flatMap(({ pin }) => pin?.version ?? []))].sort(versions.compare)
}

function textOf({ package: { name, version }, registry }: GraphNode): string {
  return `${name}@${version}${registry ?? ''}`
}

function keyOf({ name, version, packageManager }: { name: string; version: string; packageManager: string }): string {
  return JSON.stringify([name, version, packageManager])
}
