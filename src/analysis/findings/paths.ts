import type { DependencyGraph } from '../dependency-graph.ts'

export interface Paths {
  /** Node indices from the direct dependency to the node; shortest first, then in the order of the graph's edges. */
  readonly paths: number[][]
  /** False if there are more than the limit. */
  readonly complete: boolean
}

/** Finds dependency paths in one graph; shares common work among searches. */
export interface PathFinder {
  /** Returns simple paths from the project, exclusive, to a node. */
  pathsTo(node: number, limit: number): Paths
}

/** A path from a node down to the target; `isWhole` if it starts at an intended direct dependency. */
interface Tail {
  readonly node: number
  readonly rest: Tail | undefined
  readonly length: number
  readonly isWhole: boolean
}

/** Limit of steps per requested path; only cycles and very long paths need so many. */
const STEPS_PER_PATH = 2_000
const STEPS_PER_NODE = 20

/**
 * Searches upward from the node, best first, since a graph can have exponentially many paths: extends a tail by the
 * parents with the shortest total distance to the project. Without cycles every step leads to a path, so the work is
 * proportional to the result. A reachable node always gets a path, however early the search ends: no finding may depend
 * on it.
 */
export function createPathFinder(graph: DependencyGraph): PathFinder {
  const parents = parentsOf(graph)
  const distances = distancesFromProject(graph)

  /** Pushes parents in reverse order, so that the first is taken first. Returns the number of steps. */
  function extend(open: Tail[][], tail: Tail): number {
    let steps = 0
    for (const parent of parents[tail.node]!) {
      steps++
      if (parent === 0) push(open, tail.length, { ...tail, isWhole: true })
      else {
        const position = positionOn(tail, parent)
        steps += position ?? tail.length
        if (position !== undefined) continue
        const longer = { node: parent, rest: tail, length: tail.length + 1, isWhole: false }
        push(open, tail.length + distances[parent]!, longer)
      }
    }
    return steps
  }

  function shortestPath(node: number): number[] {
    const upward = [node]
    for (let at = node; distances[at]! > 1; upward.push(at)) {
      at = parents[at]!.findLast((parent) => distances[parent] === distances[at]! - 1)!
    }
    return upward.reverse()
  }

  return {
    pathsTo(node, limit) {
      const distance = distances[node]!
      if (node === 0 || distance === Infinity) return { paths: [], complete: true }
      const open: Tail[][] = []
      push(open, distance, { node, rest: undefined, length: 1, isWhole: false })
      const paths: number[][] = []
      let steps = (limit + 1) * STEPS_PER_PATH + graph.nodes.length * STEPS_PER_NODE
      for (let total = distance; total < open.length; ) {
        const tail = open[total]?.pop()
        steps--
        if (!tail) total++
        else if (!tail.isWhole) steps -= extend(open, tail)
        else if (paths.length === limit) return { paths, complete: false }
        else {
          paths.push(toPath(tail))
          steps -= tail.length
        }
        if (steps <= 0) return { paths: paths.length === 0 ? [shortestPath(node)] : paths, complete: false }
      }
      return { paths, complete: true }
    },
  }
}

/** Returns the distinct dependents of each node in reverse order, the project included. */
function parentsOf({ nodes }: DependencyGraph): number[][] {
  const parents: number[][] = nodes.map(() => [])
  for (let from = nodes.length - 1; from >= 0; from--) {
    for (const { to } of nodes[from]!.edges) if (parents[to]!.at(-1) !== from) parents[to]!.push(from)
  }
  return parents
}

/** Returns distances from the project; 1 for a direct dependency, Infinity if unreachable. */
function distancesFromProject({ nodes }: DependencyGraph): number[] {
  const distances = nodes.map(() => Infinity)
  distances[0] = 0
  const queue = [0]
  for (let at = 0; at < queue.length; at++) {
    for (const { to } of nodes[queue[at]!]!.edges) {
      if (distances[to] !== Infinity) continue
      distances[to] = distances[queue[at]!]! + 1
      queue.push(to)
    }
  }
  return distances
}

function push(open: Tail[][], total: number, tail: Tail): void {
  // Skip unreachable parents.
  if (total === Infinity) return
  const bucket = open[total]
  if (bucket) bucket.push(tail)
  else open[total] = [tail]
}

/** Returns the node's distance from the start of the tail, if present. */
function positionOn(tail: Tail, node: number): number | undefined {
  let position = 1
  for (let at: Tail | undefined = tail; at; at = at.rest, position++) if (at.node === node) return position
  return undefined
}

function toPath(tail: Tail): number[] {
  const path: number[] = []
  for (let at: Tail | undefined = tail; at; at = at.rest) path.push(at.node)
  return path
}
