import type { DependencyGraph } from '../dependency-graph.ts'

export interface Paths {
  /** Node indices from the direct dependency to the node; shortest first, then in the order of the graph's edges. */
  readonly paths: number[][]
  /** False when there are more than the limit. */
  readonly complete: boolean
}

/** Finds dependency paths in one graph; what many searches share is computed once. */
export interface PathFinder {
  /** Simple paths from the project, which is not part of them, to a node. */
  pathsTo(node: number, limit: number): Paths
}

/** A path from some node down to the one that is searched for; `isWhole` once it starts at a direct dependency on purpose. */
interface Tail {
  readonly node: number
  readonly rest: Tail | undefined
  readonly length: number
  readonly isWhole: boolean
}

/** A search ends when it took this many steps for each path that is wanted; only cycles and very long paths need so many. */
const STEPS_PER_PATH = 2_000
const STEPS_PER_NODE = 20

/**
 * A graph can have exponentially many paths, so they are searched upwards from the node, best first: a tail is extended
 * by the parents whose own distance to the project makes the whole shortest. Without cycles every step leads to a path,
 * so the work grows with the paths that are returned. A node that can be reached has a path in any case, however soon
 * the search has to end: no finding may depend on it.
 */
export function createPathFinder(graph: DependencyGraph): PathFinder {
  const parents = parentsOf(graph)
  const distances = distancesFromProject(graph)

  /** Parents in reverse: what is pushed last is taken first. Returns how many steps it took. */
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
    const upwards = [node]
    for (let at = node; distances[at]! > 1; upwards.push(at)) {
      at = parents[at]!.findLast((parent) => distances[parent] === distances[at]! - 1)!
    }
    return upwards.reverse()
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

/** For every node the distinct nodes that depend on it, the last first; the project's own edges among them. */
function parentsOf({ nodes }: DependencyGraph): number[][] {
  const parents: number[][] = nodes.map(() => [])
  for (let from = nodes.length - 1; from >= 0; from--) {
    for (const { to } of nodes[from]!.edges) if (parents[to]!.at(-1) !== from) parents[to]!.push(from)
  }
  return parents
}

/** Steps from the project; 1 for a direct dependency, Infinity for what nothing reaches. */
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
  // Nothing reaches a parent that no path leads to.
  if (total === Infinity) return
  const bucket = open[total]
  if (bucket) bucket.push(tail)
  else open[total] = [tail]
}

/** How far down the tail the node lies, if it does. */
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
