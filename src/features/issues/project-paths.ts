import type { DependencyGraph } from '#analysis/dependency-graph.ts'
import { createPathFinder } from '#analysis/findings/paths.ts'
import type { StoredGraph } from '#analysis/findings/stored-graph.ts'
import { toDependencyGraph } from '#analysis/findings/stored-graph.ts'

/** Dependency paths in a stored graph, starting with the direct dependency. */
export interface ProjectPaths {
  /** Returns the shortest paths to a package as node indices; paths with the same text are listed once. */
  to(packageIndex: number, most: number): { readonly paths: readonly (readonly number[])[]; readonly complete: boolean }
  /** The packages on a path, as `name@version`. */
  textOf(path: readonly number[]): string[]
  readonly graph: DependencyGraph
}

export function createProjectPaths(stored: StoredGraph): ProjectPaths {
  const graph = toDependencyGraph(stored)
  const finder = createPathFinder(graph)
  const nodes = Map.groupBy(stored.nodes.keys(), (node) => stored.nodes[node]!.package)

  function textOf(path: readonly number[]): string[] {
    return path.map((node) => {
      const { name, version } = graph.nodes[node]!.package
      return `${name}@${version}`
    })
  }

  function to(packageIndex: number, most: number) {
    const byText = new Map<string, number[]>()
    let complete = true
    for (const node of nodes.get(packageIndex) ?? []) {
      const result = finder.pathsTo(node, most)
      complete &&= result.complete
      for (const path of result.paths) {
        const text = textOf(path).join('\n')
        if (!byText.has(text)) byText.set(text, path)
      }
    }
    const sorted = [...byText].sort(([a, first], [b, second]) => first.length - second.length || (a < b ? -1 : 1))
    return { paths: sorted.slice(0, most).map(([, path]) => path), complete: complete && sorted.length <= most }
  }

  return { to, textOf, graph }
}
