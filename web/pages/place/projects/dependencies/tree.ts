import type { PackageIssues } from '../../../../api/dependency-graph.ts'
import type { DepGraph } from '../../../../api/resources.ts'
import { type Severity, severities } from '../../../../ui/severity.tsx'

export interface TreeNode {
  readonly name: string
  readonly version: string
  readonly issues: PackageIssues | undefined
  /** The worst severity below it, through any path. */
  readonly worstBelow: Severity | undefined
  /** Indices of nodes, worst first. */
  readonly children: readonly number[]
}

/** A dependency graph as nodes; the first one is the project. May contain cycles. */
export interface Tree {
  readonly nodes: readonly TreeNode[]
  /** The parent of each node on a shortest path from the project; -1 without one. */
  readonly parents: readonly number[]
}

/** A visible row. A package has one row per expanded parent. */
export interface TreeRow {
  /** Indices from the project to the node, joined by slashes. */
  readonly key: string
  readonly node: TreeNode
  /** 1 for the project. */
  readonly level: number
  readonly position: number
  readonly siblings: number
  /** Undefined without children, or if it is its own ancestor. */
  readonly isExpanded: boolean | undefined
}

export function toTree({ pkgs, graph }: DepGraph, issues: ReadonlyMap<string, PackageIssues>): Tree {
  const infos = new Map(pkgs.map(({ id, info }) => [id, info]))
  const rootFirst = [...graph.nodes].sort(
    (a, b) => Number(b.nodeId === graph.rootNodeId) - Number(a.nodeId === graph.rootNodeId),
  )
  const indices = new Map(rootFirst.map(({ nodeId }, index) => [nodeId, index]))
  const edges = rootFirst.map(({ deps }) => deps.flatMap(({ nodeId }) => indices.get(nodeId) ?? []))
  const bare = rootFirst.map(({ pkgId }) => {
    const { name = pkgId, version } = infos.get(pkgId) ?? {}
    return { name, version: version ?? '', issues: issues.get(`${name}@${version ?? ''}`) }
  })
  const below = findWorstBelow(
    edges,
    bare.map((node) => rankOf(node.issues?.worst)),
  )
  const rank = (index: number) => Math.min(rankOf(bare[index]!.issues?.worst), below[index]!)
  const nodes = bare.map((node, index) => ({
    ...node,
    worstBelow: severities[below[index]!],
    children: edges[index]!.toSorted((a, b) => rank(a) - rank(b) || (bare[a]!.name < bare[b]!.name ? -1 : 1)),
  }))
  return { nodes, parents: findParents(nodes) }
}

/** Returns the position in the order, worst first, none last. */
function rankOf(severity: Severity | undefined): number {
  return severity === undefined ? severities.length : severities.indexOf(severity)
}

/** Propagates each rank to all ancestors, worst first, so that each node is visited once. */
function findWorstBelow(edges: readonly (readonly number[])[], ranks: readonly number[]): number[] {
  const dependents: number[][] = edges.map(() => [])
  for (const [from, to] of edges.entries()) for (const target of to) dependents[target]!.push(from)
  const below = edges.map((): number => severities.length)
  for (const rank of severities.keys()) {
    const queue = ranks.flatMap((own, index) => (own === rank ? [index] : []))
    for (const index of queue) {
      for (const dependent of dependents[index]!) {
        if (below[dependent]! <= rank) continue
        below[dependent] = rank
        queue.push(dependent)
      }
    }
  }
  return below
}

function findParents(nodes: readonly { readonly children: readonly number[] }[]): number[] {
  const parents = nodes.map(() => -1)
  const queue = [0]
  for (const index of queue) {
    for (const child of nodes[index]?.children ?? []) {
      if (child === 0 || parents[child] !== -1) continue
      parents[child] = index
      queue.push(child)
    }
  }
  return parents
}

export interface Paths {
  /** Keys of the ancestors; expanding them shows all chosen nodes. */
  readonly expanded: ReadonlySet<string>
  /** The chosen nodes and these ancestors. */
  readonly nodes: ReadonlySet<TreeNode>
}

/** Returns a shortest path to each chosen node. */
export function pathsTo({ nodes, parents }: Tree, isChosen: (node: TreeNode) => boolean): Paths {
  const keys = new Map<number, string>([[0, '0']])
  const keyOf = (index: number): string => {
    const cached = keys.get(index)
    if (cached !== undefined) return cached
    const key = `${keyOf(parents[index]!)}/${index}`
    keys.set(index, key)
    return key
  }
  const expanded = new Set(['0'])
  const nodesOnPaths = new Set(nodes.slice(0, 1))
  for (const [index, node] of nodes.entries()) {
    if (!isChosen(node)) continue
    nodesOnPaths.add(node)
    for (let at = parents[index]!; at > 0 && !expanded.has(keyOf(at)); at = parents[at]!) {
      expanded.add(keyOf(at))
      nodesOnPaths.add(nodes[at]!)
    }
  }
  return { expanded, nodes: nodesOnPaths }
}

/** Returns true for affected packages and those that lead to one. */
export function isVulnerable({ issues, worstBelow }: TreeNode): boolean {
  return issues !== undefined || worstBelow !== undefined
}

/** Lists visible rows from top to bottom. Omits nodes for which `isShown` is false, with everything below them. */
export function listRows(
  { nodes }: Tree,
  expanded: ReadonlySet<string>,
  isShown: (node: TreeNode) => boolean,
): TreeRow[] {
  const rows: TreeRow[] = []
  const ancestors = new Set<number>()
  const add = (index: number, place: Pick<TreeRow, 'key' | 'level' | 'position' | 'siblings'>) => {
    const node = nodes[index]!
    const children = node.children.filter((child) => isShown(nodes[child]!))
    const isExpandable = children.length > 0 && !ancestors.has(index)
    const isExpanded = isExpandable ? expanded.has(place.key) : undefined
    rows.push({ ...place, node, isExpanded })
    if (!isExpanded) return
    ancestors.add(index)
    for (const [at, child] of children.entries()) {
      const key = `${place.key}/${child}`
      add(child, { key, level: place.level + 1, position: at + 1, siblings: children.length })
    }
    ancestors.delete(index)
  }
  if (nodes.length > 0) add(0, { key: '0', level: 1, position: 1, siblings: 1 })
  return rows
}
