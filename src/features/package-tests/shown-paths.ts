import type { DependencyGraph } from '#analysis/dependency-graph.ts'
import { createPathFinder, type PathFinder } from '#analysis/findings/paths.ts'

/** Paths shown in one result. */
const MAX_PATHS = 10_000
/** Packages named in all paths of one result: paths of a hostile project can be tens of thousands long. */
const MAX_STEPS = 200_000

/** Chooses the dependency paths that a result shows, under bounds that all of its issues share. */
export interface ShownPaths {
  /** The shortest ways to a package, wherever it stands; one at least, whatever the bounds. `issue` is named in `boundsMet`. */
  show(nodes: readonly number[], issue: string): number[][]
  readonly boundsMet: string[]
}

interface Found {
  readonly paths: number[][]
  readonly complete: boolean
}

export function createShownPaths(graph: DependencyGraph, mostForOne: number): ShownPaths {
  const finder = createPathFinder(graph)
  const known = new Map<readonly number[], Found>()
  const boundsMet: string[] = []
  let count = 0
  let steps = 0

  function show(nodes: readonly number[], issue: string): number[][] {
    const found = known.get(nodes) ?? findPaths(graph, finder, { nodes, most: mostForOne })
    known.set(nodes, found)
    const room = MAX_PATHS - count
    const shown = found.paths.slice(0, Math.max(1, room)).filter((path, at) => {
      steps += path.length
      return at === 0 || steps <= MAX_STEPS
    })
    count += shown.length
    if (!found.complete || shown.length < found.paths.length) {
      boundsMet.push(`${issue}: the ${shown.length} shortest dependency paths are listed; there are more`)
    }
    return shown
  }

  return { show, boundsMet }
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
    const found = finder.pathsTo(node, most)
    complete &&= found.complete
    for (const path of found.paths) {
      const text = toFrom(graph, path).join('\n')
      if (!byText.has(text)) byText.set(text, path)
    }
  }
  const sorted = [...byText].sort(([a, first], [b, second]) => first.length - second.length || (a < b ? -1 : 1))
  return {
    paths: sorted.slice(0, most).map(([, path]) => path),
    complete: complete && sorted.length <= most,
  }
}

export function toFrom(graph: DependencyGraph, path: readonly number[]): string[] {
  return path.map((node) => {
    const { name, version } = graph.nodes[node]!.package
    return `${name}@${version}`
  })
}
