import type { DependencyGraph } from '../dependency-graph.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'

export interface UpgradeSearch {
  readonly graph: DependencyGraph
  readonly scheme: VersionScheme
  /** Versions that end an affected range and are not affected themselves. */
  readonly fixes: readonly string[]
}

/**
 * The path after the smallest upgrade that the graph itself proves: a direct dependency can be asked for anew; a deeper
 * one moves when the range of the package that asks for it already allows the fixed version, so that locking again
 * brings it. A peer is shared, so that everything else that asks for it has to allow that version too. Parents stay as
 * they are. Empty when none of this holds.
 */
export function upgradePath(path: readonly number[], search: UpgradeSearch): string[] {
  const fix = findFix(path, search)
  return fix === undefined ? [] : pathWithFix(path, search.graph, fix)
}

/** The version that the last package of the path moves to; the same for all paths that end with the same two packages. */
export function findFix(path: readonly number[], { graph, scheme, fixes }: UpgradeSearch): string | undefined {
  const { version } = graph.nodes[path.at(-1)!]!.package
  const parent = path.length > 1 ? graph.nodes[path.at(-2)!] : undefined
  const edges = parent?.edges.filter(({ to }) => to === path.at(-1))
  const isPeer = edges?.some(({ kind }) => kind === 'peer') === true
  const ranges = isPeer ? rangesOn(graph, path.at(-1)!) : edges?.map(({ range }) => range)
  return fixes
    .filter((candidate) => scheme.compare(candidate, version) > 0)
    .toSorted((a, b) => scheme.compare(a, b))
    .find((candidate) => ranges === undefined || ranges.every((range) => scheme.satisfies(candidate, range)))
}

export function pathWithFix(path: readonly number[], { nodes }: DependencyGraph, fix: string): string[] {
  const packages = path.map((index) => nodes[index]!.package)
  const fixed = { name: packages.at(-1)!.name, version: fix }
  return [...packages.slice(0, -1), fixed].map((each) => `${each.name}@${each.version}`)
}

/** What all dependents together ask of a node. */
function rangesOn(graph: DependencyGraph, node: number): readonly string[] {
  let known = rangesByNode.get(graph)
  if (known === undefined) {
    known = graph.nodes.map(() => [])
    for (const { edges } of graph.nodes) for (const { to, range } of edges) known[to]!.push(range)
    rangesByNode.set(graph, known)
  }
  return known[node]!
}

/** Derived once per graph, which does not change. */
const rangesByNode = new WeakMap<DependencyGraph, string[][]>()
