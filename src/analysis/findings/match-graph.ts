import { COMMIT_VERSION, commitName } from '../advisories/commits.ts'
import { schemes } from '../advisories/schemes.ts'
import type { AdvisoryMatch, AdvisorySnapshot } from '../advisories/snapshot.ts'
import type { DependencyGraph, GraphNode, Package, Unresolved } from '../dependency-graph.ts'
import type { Ecosystem } from '../ecosystems/ecosystem.ts'
import type { Registry } from '../registries/registry.ts'

/** An affected package of the graph with its nodes and vulnerabilities. */
export interface AffectedPackage {
  readonly package: Package
  readonly registry: Registry
  /** Its name in the advisories. */
  readonly advisoryName: string
  /** Indices into the graph's nodes: one package version may have several. */
  readonly nodes: readonly number[]
  readonly matches: readonly AdvisoryMatch[]
}

/** A package version of the graph with its nodes. */
export interface DistinctPackage {
  readonly package: Package
  readonly nodes: number[]
  /** Its first node. */
  readonly node: GraphNode
}

/** Returns the distinct packages of a graph, without the project itself. */
export function distinctPackages(graph: DependencyGraph): DistinctPackage[] {
  const byText = new Map<string, DistinctPackage>()
  for (let index = 1; index < graph.nodes.length; index++) {
    const node = graph.nodes[index]!
    const text = `${node.package.name}@${node.package.version}${node.registry ?? ''}`
    const existing = byText.get(text)
    if (existing) existing.nodes.push(index)
    else byText.set(text, { package: node.package, nodes: [index], node })
  }
  return [...byText.values()]
}

/**
 * Matches each distinct package once. A package without a known version (an address instead) is not matched; the
 * reading reports it as unresolved. If advisories may use several names of a package, or its commit, each vulnerability
 * is found once.
 */
export function matchGraph(
  packages: readonly DistinctPackage[],
  ecosystem: Pick<Ecosystem, 'registry' | 'versions'>,
  snapshot: AdvisorySnapshot,
): AffectedPackage[] {
  const affected: AffectedPackage[] = []
  for (const { package: dependency, nodes, node } of packages) {
    if (node.registry === 'none') continue
    const registry = node.registry ?? ecosystem.registry
    const versions = node.registry === undefined ? ecosystem.versions : schemes[node.registry]
    if (!versions.isValid(dependency.version)) continue
    const { name, version } = dependency
    const matches = snapshot.affecting(registry, name, version)
    if (matches.length > 0) affected.push({ package: dependency, registry, advisoryName: name, nodes, matches })
    const { advisoryNames, commit } = node
    if (advisoryNames === undefined && commit === undefined) continue
    const seen = new Set(matches.flatMap(recordsOf))
    for (const advisoryName of [name, ...(advisoryNames ?? [])]) {
      const more: AdvisoryMatch[] = []
      const queries = [[advisoryName, version] as const]
      if (commit !== undefined) queries.push([commitName(advisoryName, commit), COMMIT_VERSION])
      for (const match of queries.flatMap(([queryName, at]) => snapshot.affecting(registry, queryName, at))) {
        if (recordsOf(match).some((record) => seen.has(record))) continue
        more.push(match)
        for (const record of recordsOf(match)) seen.add(record)
      }
      if (more.length > 0) affected.push({ package: dependency, registry, advisoryName, nodes, matches: more })
    }
  }
  return affected
}

/** Returns Go paths that may be packages of a module with advisories for their version. */
export function possiblyAffected(packages: readonly DistinctPackage[], snapshot: AdvisorySnapshot): Unresolved[] {
  return packages.flatMap(({ package: { name, version }, node }) =>
    (node.possibleModules ?? []).flatMap((module): Unresolved[] => {
      const count = snapshot.affecting('Go', module, version).length
      if (count === 0) return []
      const reason = describePossible(module, count)
      return [{ name, range: version, code: 'version-unknown', reason, requiredBy: 'the project' }]
    }),
  )
}

/** Describes why some issues of a Go path may be missing. */
export function describePossible(module: string, count: number): string {
  const advisories = count === 1 ? '1 advisory applies' : `${count} advisories apply`
  return `If it is a package of the module ${module}, ${advisories}. Its package URL must name the module, and the package after #`
}

/**
 * Returns packages with an estimated version and the advisories that affect other versions only: whether they apply is
 * unknown, so they are reported.
 */
export function undecided(
  packages: readonly DistinctPackage[],
  { registry }: Pick<Ecosystem, 'registry'>,
  { snapshot, affected }: { snapshot: AdvisorySnapshot; affected: readonly AffectedPackage[] },
): Unresolved[] {
  const recordsByPackage = new Map<Package, Set<number>>()
  for (const { package: affectedPackage, matches } of affected) {
    const records = recordsByPackage.get(affectedPackage) ?? new Set()
    for (const record of matches.flatMap(recordsOf)) records.add(record)
    recordsByPackage.set(affectedPackage, records)
  }
  return packages.flatMap(({ package: graphPackage, node }) => {
    if (node.isVersionGuessed !== true) return []
    const open = [graphPackage.name, ...(node.advisoryNames ?? [])]
      .flatMap((name) => snapshot.against(registry, name))
      .filter((match) => !recordsOf(match).some((record) => recordsByPackage.get(graphPackage)?.has(record)))
    const count = new Set(open.map(({ record }) => record)).size
    if (count === 0) return []
    const advisories = count === 1 ? '1 advisory of it applies' : `${count} advisories of it apply`
    const reason = `Only its commit is known, not its version: whether ${advisories} cannot be told`
    return [
      {
        name: graphPackage.name,
        range: graphPackage.version,
        code: 'version-unknown',
        reason,
        requiredBy: 'the project',
      },
    ]
  })
}

function recordsOf({ record, others }: AdvisoryMatch): number[] {
  return [record, ...others]
}
