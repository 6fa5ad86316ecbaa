import type { DependencyGraph } from '../dependency-graph.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'
import { preferredOf } from './version-lines.ts'

export interface UpgradeSearch {
  readonly graph: DependencyGraph
  readonly scheme: VersionScheme
  /** Versions that are not affected by the vulnerability. */
  readonly fixes: readonly string[]
  /** Returns true if a version of the last package has any known vulnerability; default: none has. */
  isAffected?(version: string): boolean
}

/**
 * Returns the path after the smallest upgrade that the graph proves: a direct dependency can be requested anew; a
 * deeper one moves if its dependent's range allows the fixed version, so that locking again selects it. A peer is
 * shared, so all its dependents must allow that version. Parents stay unchanged. Empty if none applies.
 */
export function upgradePath(path: readonly number[], search: UpgradeSearch): string[] {
  const fix = findFix(path, search)
  return fix === undefined ? [] : pathWithFix(path, search.graph, fix)
}

/** Returns the version to which the last package moves; equal for all paths with the same last two packages. */
export function findFix(
  path: readonly number[],
  { graph, scheme, fixes, isAffected = () => false }: UpgradeSearch,
): string | undefined {
  const { package: last, isProject } = graph.nodes[path.at(-1)!]!
  if (isProject) return undefined
  const parent = isDeclared(path, graph) ? undefined : graph.nodes[path.at(-2)!]
  const edges = parent?.edges.filter(({ to }) => to === path.at(-1))
  const isPeer = edges?.some(({ kind }) => kind === 'peer') === true
  const ranges = isPeer ? rangesOn(graph, path.at(-1)!) : edges?.map(({ range }) => range)
  const helpful = fixes
    .filter((candidate) => scheme.compare(candidate, last.version) > 0)
    .filter(
      (candidate) =>
        ranges === undefined || ranges.every((range) => allows(scheme, { range, candidate, locked: last.version })),
    )
    .toSorted((a, b) => scheme.compare(a, b))
  return preferredOf(last.version, helpful, (candidate) => !isAffected(candidate))
}

/** A range that the lockfile does not tell is the default one of its tool. */
function allows(
  scheme: VersionScheme,
  { range, candidate, locked }: { range: string; candidate: string; locked: string },
): boolean {
  const assumed = range === '' ? scheme.toDefaultRange?.(locked) : undefined
  return scheme.satisfies(candidate, assumed ?? range)
}

/** Returns true if a project of the repository declares the last package of the path. */
export function isDeclared(path: readonly number[], { nodes }: DependencyGraph): boolean {
  return path.slice(0, -1).every((index) => nodes[index]!.isProject)
}

export function pathWithFix(path: readonly number[], { nodes }: DependencyGraph, fix: string): string[] {
  const packages = path.map((index) => nodes[index]!.package)
  const fixed = { name: packages.at(-1)!.name, version: fix }
  return [...packages.slice(0, -1), fixed].map((pathPackage) => `${pathPackage.name}@${pathPackage.version}`)
}

/** Returns the ranges of all dependents on a node. */
function rangesOn(graph: DependencyGraph, node: number): readonly string[] {
  let byNode = rangesByNode.get(graph)
  if (byNode === undefined) {
    byNode = graph.nodes.map(() => [])
    for (const { edges } of graph.nodes) for (const { to, range } of edges) byNode[to]!.push(range)
    rangesByNode.set(graph, byNode)
  }
  return byNode[node]!
}

/** Derived once per immutable graph. */
const rangesByNode = new WeakMap<DependencyGraph, string[][]>()
