import type { DependencyGraph } from '../dependency-graph.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'

/** The version that a project could pin, whatever brought the package. */
export interface Pin {
  readonly version: string
  /** Demands that do not accept it, `b@1.0 (<2)`: then pinning it is no way out. */
  readonly forbiddenBy: readonly string[]
  /** Packages that ask for it and of which it is not known what they accept. */
  readonly notKnownOf: readonly string[]
}

export interface PinSearch {
  readonly graph: DependencyGraph
  readonly scheme: VersionScheme
  /** Versions that end an affected range and are not affected themselves. */
  readonly fixes: readonly string[]
}

/**
 * The smallest fixed version that every package accepts which asks for the affected one; what the project itself asks for
 * is what a pin replaces. When there is none, the smallest fixed version, and who stands against it. A range that cannot
 * be read says that nobody knows it.
 */
export function findPin(nodes: readonly number[], { graph, scheme, fixes }: PinSearch): Pin | undefined {
  const [first] = nodes
  if (first === undefined) return undefined
  const { version } = graph.nodes[first]!.package
  const demands = nodes.flatMap((node) => demandsOn(graph, node))
  const notKnownOf = new Set(demands.filter(({ range }) => !scheme.isRange(range)).map(({ by }) => by))
  const known = demands.filter(({ range }) => scheme.isRange(range))
  const candidates = fixes
    .filter((fix) => scheme.compare(fix, version) > 0)
    .toSorted((a, b) => scheme.compare(a, b))
    .map((fix) => ({ fix, against: known.filter(({ range }) => !scheme.satisfies(fix, range)) }))
  const best = candidates.find(({ against }) => against.length === 0) ?? candidates[0]
  if (best === undefined) return undefined
  const forbiddenBy = new Set(best.against.map(({ by, range }) => `${by} (${range})`))
  return { version: best.fix, forbiddenBy: [...forbiddenBy], notKnownOf: [...notKnownOf] }
}

/** The fixed versions that every package accepts which asks for the affected one, the smallest first. */
export function listPins(nodes: readonly number[], { graph, scheme, fixes }: PinSearch): string[] {
  const [first] = nodes
  if (first === undefined) return []
  const { version } = graph.nodes[first]!.package
  const known = nodes.flatMap((node) => demandsOn(graph, node)).filter(({ range }) => scheme.isRange(range))
  return [...new Set(fixes)]
    .filter((fix) => scheme.compare(fix, version) > 0 && known.every(({ range }) => scheme.satisfies(fix, range)))
    .sort((a, b) => scheme.compare(a, b))
}

interface Demand {
  readonly by: string
  readonly range: string
}

/** What packages, not the project, ask of a node. */
function demandsOn(graph: DependencyGraph, node: number): readonly Demand[] {
  let known = demandsByNode.get(graph)
  if (known === undefined) {
    known = graph.nodes.map(() => [])
    for (const { package: parent, edges } of graph.nodes.slice(1)) {
      for (const { to, range } of edges) known[to]!.push({ by: `${parent.name}@${parent.version}`, range })
    }
    demandsByNode.set(graph, known)
  }
  return known[node]!
}

/** Derived once per graph, which does not change. */
const demandsByNode = new WeakMap<DependencyGraph, Demand[][]>()
