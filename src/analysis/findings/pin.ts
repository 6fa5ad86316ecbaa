import type { DependencyGraph } from '../dependency-graph.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'
import { preferredOf } from './version-lines.ts'

/** A version that a project could pin, independent of the packages that require it. */
export interface Pin {
  readonly version: string
  /** Ranges that exclude it, `b@1.0 (<2)`: then a pin is no solution. */
  readonly forbiddenBy: readonly string[]
  /** Packages that require it with an unknown range. */
  readonly notKnownOf: readonly string[]
}

export interface PinSearch {
  readonly graph: DependencyGraph
  readonly scheme: VersionScheme
  /** Versions that are not affected by the vulnerability. */
  readonly fixes: readonly string[]
  /** Returns true if a version has any known vulnerability; default: none has. */
  isAffected?(version: string): boolean
}

/**
 * Returns the smallest fixed version accepted by all dependents except the project, whose own range a pin replaces. If
 * there is none, the smallest fixed version and the ranges that exclude it. Unreadable ranges count as unknown.
 */
export function findPin(
  nodes: readonly number[],
  { graph, scheme, fixes, isAffected = () => false }: PinSearch,
): Pin | undefined {
  const [first] = nodes
  if (first === undefined) return undefined
  const { version } = graph.nodes[first]!.package
  const demands = nodes.flatMap((node) => demandsOn(graph, node))
  const notKnownOf = new Set(demands.filter(({ range }) => !scheme.isRange(range)).map(({ by }) => by))
  const comparable = demands.filter(({ range }) => scheme.isRange(range))
  const newer = fixes.filter((fix) => scheme.compare(fix, version) > 0).toSorted((a, b) => scheme.compare(a, b))
  const accepted = newer.filter((fix) => comparable.every(({ range }) => scheme.satisfies(fix, range)))
  const best = preferredOf(version, accepted.length > 0 ? accepted : newer, (fix) => !isAffected(fix))
  if (best === undefined) return undefined
  const against = comparable.filter(({ range }) => !scheme.satisfies(best, range))
  const forbiddenBy = new Set(against.map(({ by, range }) => `${by} (${range})`))
  return { version: best, forbiddenBy: [...forbiddenBy], notKnownOf: [...notKnownOf] }
}

interface Demand {
  readonly by: string
  readonly range: string
}

/** Returns the ranges of packages, not the project, on a node. */
function demandsOn(graph: DependencyGraph, node: number): readonly Demand[] {
  let byNode = demandsByNode.get(graph)
  if (byNode === undefined) {
    byNode = graph.nodes.map(() => [])
    for (const { package: parent, edges } of graph.nodes.slice(1)) {
      for (const { to, range } of edges) byNode[to]!.push({ by: `${parent.name}@${parent.version}`, range })
    }
    demandsByNode.set(graph, byNode)
  }
  return byNode[node]!
}

/** Derived once per immutable graph. */
const demandsByNode = new WeakMap<DependencyGraph, Demand[][]>()
