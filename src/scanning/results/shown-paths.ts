import type { DependencyGraph } from '#analysis/dependency-graph.ts'
import { createPathFinder, type PathFinder } from '#analysis/findings/paths.ts'

/** Paths of one issue are counted up to here. */
export const MAX_COUNTED = 1_000
/** The size of one name in a path. */
const STEP_BYTES = 25
/** Issues that `boundsMet` names. */
const MAX_NAMED = 10

/** An issue of a package, wherever the package stands in the graph. */
export interface IssueInGraph {
  readonly nodes: readonly number[]
  readonly name: string
  /** Bytes of one entry of the result, without its paths. */
  readonly entryBytes: number
}

export interface PathBounds {
  readonly pathsOfOne: number
  /** For all entries; the first path of each issue is shown in any case. */
  readonly bytes: number
}

export interface ShownPaths {
  /** The shortest first; one at least. */
  readonly paths: readonly (readonly number[])[]
  /** All that there are, up to 1,000. */
  readonly count: number
}

interface Found {
  /** As many as may be shown. */
  readonly paths: number[][]
  readonly count: number
  readonly complete: boolean
}

/**
 * Chooses the dependency paths that a result shows: the same number of every issue that has so many, and as many as the
 * bounds allow. Issues are answered in their order.
 */
export function showPaths(
  graph: DependencyGraph,
  issues: readonly IssueInGraph[],
  bounds: PathBounds,
): { shown: ShownPaths[]; boundsMet: string[] } {
  if (issues.length === 0) return { shown: [], boundsMet: [] }
  const finder = createPathFinder(graph)
  const known = new Map<readonly number[], Found>()
  const found = issues.map(({ nodes }) => {
    const paths = known.get(nodes) ?? findPaths(graph, finder, { nodes, most: bounds.pathsOfOne })
    known.set(nodes, paths)
    return paths
  })
  const most = chooseMost(issues, found, bounds)
  const shown = found.map(({ paths, count }) => ({ paths: paths.slice(0, most), count }))
  return { shown, boundsMet: toBoundsMet(issues, found, most) }
}

/** The largest number of paths of one issue with which all entries keep within the bytes. */
function chooseMost(issues: readonly IssueInGraph[], found: readonly Found[], { pathsOfOne, bytes }: PathBounds) {
  let left = bytes
  for (let most = 0; most < pathsOfOne; most++) {
    const isLast = !found.some(({ paths }) => paths.length > most)
    found.forEach(({ paths }, at) => {
      const path = paths[most]
      if (path !== undefined) left -= issues[at]!.entryBytes + path.length * STEP_BYTES
    })
    if (isLast) return pathsOfOne
    if (left < 0) return Math.max(1, most)
  }
  return pathsOfOne
}

function toBoundsMet(issues: readonly IssueInGraph[], found: readonly Found[], most: number): string[] {
  const shortened = issues.flatMap(({ name }, at) => {
    const { count, complete } = found[at]!
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

/** Places that read the same are one path. */
function findPaths(
  graph: DependencyGraph,
  finder: PathFinder,
  { nodes, most }: { nodes: readonly number[]; most: number },
): Found {
  const byText = new Map<string, number[]>()
  let complete = true
  for (const node of nodes) {
    const found = finder.pathsTo(node, MAX_COUNTED)
    complete &&= found.complete
    for (const path of found.paths) {
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
