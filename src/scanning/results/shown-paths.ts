import type { DependencyGraph } from '#analysis/dependency-graph.ts'
import { createPathFinder, type PathFinder } from '#analysis/findings/paths.ts'

/** Limit on the counted paths of one issue. */
export const MAX_COUNTED = 1_000
/** Estimated size of one name in a path. */
const STEP_BYTES = 25
/** Limit on the issues that `boundsMet` names. */
const MAX_NAMED = 10

/** An issue of a package, with all nodes of the package in the graph. */
export interface IssueInGraph {
  readonly nodes: readonly number[]
  readonly name: string
  /** Size of one entry of the result in bytes, without its path. */
  readonly entryBytes: number
}

export interface PathBounds {
  readonly pathsOfOne: number
  /** Limit for all entries together; the first path of each issue is always shown. */
  readonly bytes: number
}

export interface ShownPaths {
  /** At least one path, shortest first. */
  readonly paths: readonly (readonly number[])[]
  /** Number of all paths, up to 1,000. */
  readonly count: number
}

interface Found {
  /** Paths up to the limit for one issue. */
  readonly paths: number[][]
  readonly count: number
  readonly complete: boolean
}

/**
 * Chooses the dependency paths that a result shows: as many as the limits allow, with the same maximum for every issue.
 * Keeps the order of the issues.
 */
export function showPaths(
  graph: DependencyGraph,
  issues: readonly IssueInGraph[],
  bounds: PathBounds,
): { shown: ShownPaths[]; boundsMet: string[] } {
  if (issues.length === 0) return { shown: [], boundsMet: [] }
  const finder = createPathFinder(graph)
  const pathsByNodes = new Map<readonly number[], Found>()
  const pathLists = issues.map(({ nodes }) => {
    const paths = pathsByNodes.get(nodes) ?? findPaths(graph, finder, { nodes, most: bounds.pathsOfOne })
    pathsByNodes.set(nodes, paths)
    return paths
  })
  const most = chooseMost(issues, pathLists, bounds)
  const shown = pathLists.map(({ paths, count }) => ({ paths: paths.slice(0, most), count }))
  return { shown, boundsMet: toBoundsMet(issues, pathLists, most) }
}

/** Returns the largest number of paths per issue with which all entries together stay within the limit. */
function chooseMost(issues: readonly IssueInGraph[], pathLists: readonly Found[], { pathsOfOne, bytes }: PathBounds) {
  let left = bytes
  for (let most = 0; most < pathsOfOne; most++) {
    const isLast = !pathLists.some(({ paths }) => paths.length > most)
    pathLists.forEach(({ paths }, at) => {
      const path = paths[most]
      if (path !== undefined) left -= issues[at]!.entryBytes + path.length * STEP_BYTES
    })
    if (isLast) return pathsOfOne
    if (left < 0) return Math.max(1, most)
  }
  return pathsOfOne
}

function toBoundsMet(issues: readonly IssueInGraph[], pathLists: readonly Found[], most: number): string[] {
  const shortened = issues.flatMap(({ name }, at) => {
    const { count, complete } = pathLists[at]!
    if (complete && count <= most) return []
    const all = complete ? `${count}` : `more than ${count}`
    return [`${name}: the ${Math.min(most, count)} shortest of ${all} dependency paths are listed`]
  })
  const more = shortened.length - MAX_NAMED
  if (more <= 1) return shortened
  return [
    ...shortened.slice(0, MAX_NAMED),
    `${more} more issues have more dependency paths than are listed (pathCount)`,
  ]
}

/** Finds the paths to several nodes; paths with the same text count once. */
function findPaths(
  graph: DependencyGraph,
  finder: PathFinder,
  { nodes, most }: { nodes: readonly number[]; most: number },
): Found {
  const byText = new Map<string, number[]>()
  let complete = true
  for (const node of nodes) {
    const paths = finder.pathsTo(node, MAX_COUNTED)
    complete &&= paths.complete
    for (const path of paths.paths) {
      const text = toFrom(graph, path).join('\n')
      if (!byText.has(text)) byText.set(text, path)
    }
  }
  const sorted = [...byText].sort(([a, first], [b, second]) => first.length - second.length || (a < b ? -1 : 1))
  return {
    paths: sorted.slice(0, most).map(([, path]) => path),
    count: Math.min(sorted.length, MAX_COUNTED),
    complete: complete && sorted.length <= MAX_COUNTED,
  }
}

export function toFrom(graph: DependencyGraph, path: readonly number[]): string[] {
  return path.map((node) => {
    const { name, version } = graph.nodes[node]!.package
    return `${name}@${version}`
  })
}
