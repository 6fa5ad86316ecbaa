import type { AdvisoryMatch, AdvisorySnapshot } from '../advisories/snapshot.ts'
import type { DependencyGraph, Package } from '../dependency-graph.ts'
import type { Ecosystem } from '../ecosystems/ecosystem.ts'

/** A package of the graph that is affected, the places where it stands, and by what. */
export interface AffectedPackage {
  readonly package: Package
  /** Indices into the graph's nodes: one package at one version may stand in several places. */
  readonly nodes: readonly number[]
  readonly matches: readonly AdvisoryMatch[]
}

/** The distinct packages of a graph, without the project itself. */
export function distinctPackages(graph: DependencyGraph): { package: Package; nodes: number[] }[] {
  const byText = new Map<string, { package: Package; nodes: number[] }>()
  for (let node = 1; node < graph.nodes.length; node++) {
    const found = graph.nodes[node]!.package
    const text = `${found.name}@${found.version}`
    const known = byText.get(text)
    if (known) known.nodes.push(node)
    else byText.set(text, { package: found, nodes: [node] })
  }
  return [...byText.values()]
}

/**
 * Holds each distinct package against the snapshot once, however often it occurs. A package whose version is not known
 * (its place holds an address instead) is not matched; the reading names it as unresolved.
 */
export function matchGraph(
  packages: readonly { package: Package; nodes: readonly number[] }[],
  { registry, versions }: Pick<Ecosystem, 'registry' | 'versions'>,
  snapshot: AdvisorySnapshot,
): AffectedPackage[] {
  const affected: AffectedPackage[] = []
  for (const { package: found, nodes } of packages) {
    if (!versions.isValid(found.version)) continue
    const matches = snapshot.affecting(registry, found.name, found.version)
    if (matches.length > 0) affected.push({ package: found, nodes, matches })
  }
  return affected
}
