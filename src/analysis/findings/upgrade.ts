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
export function upgradePath(path: readonly number[], { graph, scheme, fixes }: UpgradeSearch): string[] {
  const node = graph.nodes[path.at(-1)!]!
  const { name, version } = node.package
  const parent = path.length > 1 ? graph.nodes[path.at(-2)!] : undefined
  const edges = parent?.edges.filter(({ to }) => to === path.at(-1))
  const isPeer = edges?.some(({ kind }) => kind === 'peer') === true
  const ranges = isPeer ? rangesOn(graph, path.at(-1)!) : edges?.map(({ range }) => range)
  const fix = fixes
    .filter((candidate) => scheme.compare(candidate, version) > 0)
    .toSorted((a, b) => scheme.compare(a, b))
    .find((candidate) => ranges === undefined || ranges.every((range) => scheme.satisfies(candidate, range)))
  if (fix === undefined) return []
  const parents = path.slice(0, -1).map((index) => graph.nodes[index]!.package)
  return [...parents, { name, version: fix }].map((each) => `${each.name}@${each.version}`)
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
