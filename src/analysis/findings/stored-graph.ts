import type { DependencyGraph, GraphNode } from '../dependency-graph.ts'

/** A package of a stored graph. */
export interface StoredPackage {
  /** As the project's files spell it. */
  readonly name: string
  readonly version: string
  /** An SPDX expression where one is known, else the words that were told; absent when nobody told. */
  readonly licence?: string
  /** Other names under which advisories may speak of it. */
  readonly advisoryNames?: readonly string[]
  /** The commit it was taken at, where that is known. */
  readonly commit?: string
}

/** The resolved packages of a project as they are kept. `nodes[0]` and `packages[0]` are the project. May have cycles. */
export interface StoredGraph {
  readonly packages: readonly StoredPackage[]
  /** `package` is an index into `packages`; `edges` are indices into `nodes`. */
  readonly nodes: readonly { readonly package: number; readonly edges: readonly number[] }[]
}

/** What ends an issue of one package of the graph, as of the last test. */
export interface Advice {
  readonly issueId: string
  /** An index into the graph's packages. */
  readonly package: number
  /** Some path ends with an upgrade. */
  readonly isUpgradable: boolean
  readonly isPinnable: boolean
  /** Versions at which everybody accepts it, the smallest first: what ends any issue of it. Of what can be pinned. */
  readonly pins?: readonly string[]
  /** Each as `name@version` from the direct dependency on; `upgradePaths[n]` is what becomes of `upgradedPaths[n]`. */
  readonly upgradePaths: readonly (readonly string[])[]
  readonly upgradedPaths: readonly (readonly string[])[]
  /** Versions that end an affected range, oldest first. */
  readonly fixedIn: readonly string[]
}

/** Each package once, with the licence that is known of it. */
export function toStoredGraph(
  { nodes }: DependencyGraph,
  licenceOf: (node: GraphNode) => string | undefined,
): StoredGraph {
  const packages: StoredPackage[] = []
  const numbers = new Map<string, number>()
  const stored = nodes.map((node, at) => {
    const key = at === 0 ? '' : keyOf(node.package)
    let number = numbers.get(key)
    if (number === undefined) {
      number = packages.push(toStoredPackage(node, at === 0 ? undefined : licenceOf(node))) - 1
      numbers.set(key, number)
    }
    return { package: number, edges: [...new Set(node.edges.map(({ to }) => to))] }
  })
  return { packages, nodes: stored }
}

function keyOf({ name, version }: { name: string; version: string }): string {
  return `${name}@${version}`
}

function toStoredPackage(
  { package: { name, version }, advisoryNames, commit }: GraphNode,
  licence: string | undefined,
): StoredPackage {
  return {
    name,
    version,
    ...(licence !== undefined && { licence }),
    ...(advisoryNames !== undefined && { advisoryNames }),
    ...(commit !== undefined && { commit }),
  }
}

/** A stored graph does not say what its packages allow: this is no range, so that nothing satisfies it. */
const UNTOLD = '(not told)'

/** For looking for paths; what packages ask for, and which of them only developers need, is not kept. */
export function toDependencyGraph({ packages, nodes }: StoredGraph): DependencyGraph {
  return {
    nodes: nodes.map(({ package: number, edges }) => {
      const { name, version, licence, advisoryNames, commit } = packages[number]!
      return {
        package: { name, version },
        edges: edges.map((to) => ({ to, range: UNTOLD, kind: 'prod' as const })),
        ...(licence !== undefined && { licence }),
        ...(advisoryNames !== undefined && { advisoryNames }),
        ...(commit !== undefined && { commit }),
      }
    }),
  }
}
