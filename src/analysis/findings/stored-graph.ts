import type { DependencyGraph, GraphNode } from '../dependency-graph.ts'
import type { NotImportedIds } from './imported.ts'

/** A package of a stored graph. */
export interface StoredPackage {
  /** The project files' spelling. */
  readonly name: string
  readonly version: string
  /** In graphs of several registries. */
  readonly registry?: GraphNode['registry']
  /** An SPDX expression if recognized, else the original words; absent if unknown. */
  readonly license?: string
  /** Other names used by advisories. */
  readonly advisoryNames?: readonly string[]
  /** The commit of the source, if known. */
  readonly commit?: string
  /** Vulnerabilities of the module in packages that the project does not import. */
  readonly notImported?: NotImportedIds
}

/** The stored resolution of a project. `nodes[0]` and `packages[0]` are the project. May contain cycles. */
export interface StoredGraph {
  readonly packages: readonly StoredPackage[]
  /** `package` is an index into `packages`; `edges` are indices into `nodes`. */
  readonly nodes: readonly { readonly package: number; readonly edges: readonly number[] }[]
}

/** The remedies of an issue in one package, as of the last test. */
export interface Advice {
  readonly issueId: string
  /** Index into the graph's packages. */
  readonly package: number
  /** True if an upgrade fixes some path. */
  readonly isUpgradable: boolean
  readonly isPinnable: boolean
  /** Versions accepted by all dependents, smallest first, for pinnable packages. */
  readonly pins?: readonly string[]
  /** `name@version` lists from the direct dependency on; `upgradePaths[n]` replaces `upgradedPaths[n]`. */
  readonly upgradePaths: readonly (readonly string[])[]
  readonly upgradedPaths: readonly (readonly string[])[]
  /** Versions that end an affected range, oldest first. */
  readonly fixedIn: readonly string[]
}

/** Converts a graph, storing each package once with its known license. */
export function toStoredGraph(
  { nodes }: DependencyGraph,
  licenseOf: (node: GraphNode) => string | undefined,
): StoredGraph {
  const packages: StoredPackage[] = []
  const numbers = new Map<string, number>()
  const stored = nodes.map((node, at) => {
    const key = at === 0 ? '' : keyOf(node)
    let number = numbers.get(key)
    if (number === undefined) {
      number = packages.push(toStoredPackage(node, at === 0 ? undefined : licenseOf(node))) - 1
      numbers.set(key, number)
    }
    return { package: number, edges: [...new Set(node.edges.map(({ to }) => to))] }
  })
  return { packages, nodes: stored }
}

function keyOf({ package: { name, version }, registry }: GraphNode): string {
  return `${name}@${version}${registry ?? ''}`
}

function toStoredPackage(
  { package: { name, version }, registry, advisoryNames, commit }: GraphNode,
  license: string | undefined,
): StoredPackage {
  return {
    name,
    version,
    ...(registry !== undefined && { registry }),
    ...(license !== undefined && { license }),
    ...(advisoryNames !== undefined && { advisoryNames }),
    ...(commit !== undefined && { commit }),
  }
}

/** Placeholder for ranges, which a stored graph does not contain; as an invalid range it satisfies nothing. */
const UNKNOWN_RANGE = '(not told)'

/** Restores a graph for path searches, without ranges and dev flags. */
export function toDependencyGraph({ packages, nodes }: StoredGraph): DependencyGraph {
  return {
    nodes: nodes.map(({ package: number, edges }) => {
      const { name, version, registry, license, advisoryNames, commit } = packages[number]!
      return {
        package: { name, version },
        edges: edges.map((to) => ({ to, range: UNKNOWN_RANGE, kind: 'prod' as const })),
        ...(registry !== undefined && { registry }),
        ...(license !== undefined && { license }),
        ...(advisoryNames !== undefined && { advisoryNames }),
        ...(commit !== undefined && { commit }),
      }
    }),
  }
}
