import type { Package } from '../dependency-graph.ts'
import type { PathAutomaton } from './path-automaton.ts'

/** The resolved packages of a project. May have cycles. */
export interface PackageGraph {
  readonly packages: readonly Package[]
  /** `nodes[0]` is the project itself; `package` and `edges` are indices. */
  readonly nodes: readonly { readonly package: number; readonly edges: readonly number[] }[]
}

/** Searches dependency paths in one graph; shares common work among searches. */
export interface PathSearch {
  isReached(end: number): boolean
  /** Returns true if the automaton does not match every path to the package, or if that takes too long to decide. */
  hasUnmet(end: number, automaton: PathAutomaton): boolean
  /**
   * Returns true if the automaton matches a path to the package, cyclic walks included, or if that takes too long to
   * decide.
   */
  hasMet(end: number, automaton: PathAutomaton): boolean
  /** Returns true if some path to the package is wanted, or if that takes too long to decide. */
  hasWanted(end: number, isWanted: (path: readonly Package[]) => boolean): boolean
}

/** Limit of edges per search, and of all searches in a graph together: a project may have thousands of ignores. */
const MAX_STEPS = 200_000
const MAX_STEPS_TOGETHER = 10_000_000

/** A budget of edges to follow. */
interface Steps {
  /** Takes one; false if none is left. */
  take(): boolean
}

/** The nodes from which a package is reached, and its own. */
interface Ways {
  readonly relevant: ReadonlySet<number>
  readonly ends: ReadonlySet<number>
  hasCycles(): boolean
}

/**
 * Creates a search. A graph can have exponentially many paths, so nodes are walked together with automaton states, each
 * pair once. Deciding whether a path avoids a set of patterns is still hard, since states can be many (pairs of
 * packages that must not share a path: Gabow, Maheshwari and Osterweil 1976): hence the limits.
 */
export function createPathSearch(graph: PackageGraph): PathSearch {
  const parents = parentsOf(graph)
  const nodesOf = Map.groupBy(graph.nodes.keys().drop(1), (node) => graph.nodes[node]!.package)
  const waysByEnd = new Map<number, Ways>()
  let leftTogether = MAX_STEPS_TOGETHER

  function countSteps(): Steps {
    let left = MAX_STEPS
    return { take: () => left-- > 0 && leftTogether-- > 0 }
  }

  function waysTo(end: number): Ways {
    const ways = waysByEnd.get(end) ?? findWays(graph, parents, nodesOf.get(end) ?? [])
    waysByEnd.set(end, ways)
    return ways
  }

  return {
    isReached: (end) => waysTo(end).relevant.has(0),
    hasUnmet(end, automaton) {
      const ways = waysTo(end)
      if (!findsUnmetWalk(graph, ways, { automaton, steps: countSteps() })) return false
      // Cyclic walks are not among the shown paths.
      return !ways.hasCycles() || findsPath(graph, ways, { automaton, isWanted: () => true, steps: countSteps() })
    },
    hasMet: (end, automaton) => findsMetWalk(graph, waysTo(end), { automaton, steps: countSteps() }),
    hasWanted: (end, isWanted) =>
      findsPath(graph, waysTo(end), { automaton: MET_BY_NOTHING, isWanted, steps: countSteps() }),
  }
}

const MET_BY_NOTHING: PathAutomaton = { start: 0n, follow: () => 0n }

function parentsOf({ nodes }: PackageGraph): number[][] {
  const parents: number[][] = nodes.map(() => [])
  for (const [from, { edges }] of nodes.entries()) for (const to of edges) parents[to]!.push(from)
  return parents
}

function findWays(graph: PackageGraph, parents: readonly (readonly number[])[], at: readonly number[]): Ways {
  const ends = new Set(at)
  const relevant = new Set(ends)
  for (const node of relevant) if (node !== 0) for (const parent of parents[node]!) relevant.add(parent)
  let cycles: boolean | undefined
  return {
    relevant,
    ends,
    hasCycles: () => {
      cycles ??= hasCycles(graph, parents, relevant)
      return cycles
    },
  }
}

/** Returns true if nodes remain after repeatedly removing those without incoming edges. */
function hasCycles(
  { nodes }: PackageGraph,
  parents: readonly (readonly number[])[],
  relevant: ReadonlySet<number>,
): boolean {
  const left = new Map<number, number>()
  for (const node of relevant) {
    if (node !== 0) left.set(node, parents[node]!.filter((parent) => parent !== 0 && relevant.has(parent)).length)
  }
  const free = [...left].filter(([, count]) => count === 0).map(([node]) => node)
  let taken = 0
  for (let node = free.pop(); node !== undefined; node = free.pop()) {
    taken++
    for (const to of nodes[node]!.edges) {
      const count = left.get(to)
      if (count === undefined) continue
      left.set(to, count - 1)
      if (count === 1) free.push(to)
    }
  }
  return taken < left.size
}

/** Returns the successors of a node, without the project and without dead ends. */
function nextOf({ nodes }: PackageGraph, { relevant }: Ways, node: number): number[] {
  return nodes[node]!.edges.filter((to) => to !== 0 && relevant.has(to))
}

interface Following {
  readonly automaton: PathAutomaton
  readonly steps: Steps
}

function findsUnmetWalk(graph: PackageGraph, ways: Ways, { automaton, steps }: Following): boolean {
  const seen = new Map<number, bigint[]>()
  const open: [node: number, state: bigint][] = [[0, automaton.start]]
  while (open.length > 0) {
    const [from, before] = open.pop()!
    for (const node of nextOf(graph, ways, from)) {
      if (!steps.take()) return true
      const state = automaton.follow(before, packageAt(graph, node))
      if (state === undefined) continue
      // If no path can be matched anymore, every continuation is unmatched.
      if (state === 0n || ways.ends.has(node)) return true
      if (isNewState(seen, node, state)) open.push([node, state])
    }
  }
  return false
}

/** Returns true if the node was not visited in this state, nor in one that fewer paths match. */
function isNewState(seen: Map<number, bigint[]>, node: number, state: bigint): boolean {
  const states = seen.get(node) ?? []
  if (states.some((seenState) => (seenState & state) === seenState)) return false
  seen.set(node, [...states.filter((seenState) => (seenState & state) !== state), state])
  return true
}

function findsMetWalk(graph: PackageGraph, ways: Ways, { automaton, steps }: Following): boolean {
  const seen = new Map<number, bigint>()
  const open: [node: number, state: bigint][] = [[0, automaton.start]]
  while (open.length > 0) {
    const [from, before] = open.pop()!
    for (const node of nextOf(graph, ways, from)) {
      const state = automaton.follow(before, packageAt(graph, node))
      if (state === undefined || !steps.take()) return true
      if (state === 0n) continue
      // Follow states of single paths: a merged state may combine steps of different paths.
      const seenState = seen.get(node) ?? 0n
      if (seen.has(node) && (state & ~seenState) === 0n) continue
      seen.set(node, seenState | state)
      open.push([node, seenState | state])
    }
  }
  return false
}

interface Step {
  readonly node: number
  readonly state: bigint
  readonly next: number[]
}

/** Enumerates simple paths until one is wanted and unmatched. */
function findsPath(
  graph: PackageGraph,
  ways: Ways,
  { automaton, isWanted, steps }: Following & { isWanted(path: readonly Package[]): boolean },
): boolean {
  const on = new Set<number>()
  const path: Step[] = [{ node: 0, state: automaton.start, next: nextOf(graph, ways, 0) }]
  while (path.length > 0) {
    const { node: from, state: before, next } = path.at(-1)!
    const node = next.pop()
    if (node === undefined) {
      on.delete(from)
      path.pop()
      continue
    }
    if (!steps.take()) return true
    const state = on.has(node) ? undefined : automaton.follow(before, packageAt(graph, node))
    if (state === undefined) continue
    if (ways.ends.has(node)) {
      const whole = [...path.slice(1).map((step) => packageAt(graph, step.node)), packageAt(graph, node)]
      if (isWanted(whole) || !whole.every(steps.take)) return true
    }
    on.add(node)
    path.push({ node, state, next: nextOf(graph, ways, node) })
  }
  return false
}

function packageAt({ nodes, packages }: PackageGraph, node: number): Package {
  return packages[nodes[node]!.package]!
}
