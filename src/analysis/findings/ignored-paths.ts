import type { Package } from '../dependency-graph.ts'
import type { PathAutomaton } from './path-automaton.ts'

/** The resolved packages of a project. May have cycles. */
export interface PackageGraph {
  readonly packages: readonly Package[]
  /** `nodes[0]` is the project itself; `package` and `edges` are indices. */
  readonly nodes: readonly { readonly package: number; readonly edges: readonly number[] }[]
}

/** Looks for dependency paths in one graph; what many searches share is found once. */
export interface PathSearch {
  isReached(end: number): boolean
  /** Whether some path to the package is not met by the automaton; true as well when that takes too long to tell. */
  hasUnmet(end: number, automaton: PathAutomaton): boolean
  /** Whether some path to the package is met; what goes round in circles counts. True as well when that takes too long. */
  hasMet(end: number, automaton: PathAutomaton): boolean
  /** Whether some path to the package is wanted; true as well when that takes too long to tell. */
  hasWanted(end: number, isWanted: (path: readonly Package[]) => boolean): boolean
}

/** Edges that one search follows, and all searches in one graph together: a project may have thousands of ignores. */
const MAX_STEPS = 200_000
const MAX_STEPS_TOGETHER = 10_000_000

/** Counts what is left to follow. */
interface Steps {
  /** False once there is none left. */
  take(): boolean
}

/** The nodes from which a package is reached, and those where it stands. */
interface Ways {
  readonly relevant: ReadonlySet<number>
  readonly ends: ReadonlySet<number>
  hasCycles(): boolean
}

/**
 * A graph can have exponentially many paths, so that its nodes are walked together with the states of an automaton, each
 * pair once. To know whether some path avoids a set of patterns is hard even so, for the states can be many (two packages
 * that must not both be on a path, many times over: Gabow, Maheshwari and Osterweil 1976): hence the bounds.
 */
export function createPathSearch(graph: PackageGraph): PathSearch {
  const parents = parentsOf(graph)
  const nodesOf = Map.groupBy(graph.nodes.keys().drop(1), (node) => graph.nodes[node]!.package)
  const known = new Map<number, Ways>()
  let leftTogether = MAX_STEPS_TOGETHER

  function countSteps(): Steps {
    let left = MAX_STEPS
    return { take: () => left-- > 0 && leftTogether-- > 0 }
  }

  function waysTo(end: number): Ways {
    const ways = known.get(end) ?? findWays(graph, parents, nodesOf.get(end) ?? [])
    known.set(end, ways)
    return ways
  }

  return {
    isReached: (end) => waysTo(end).relevant.has(0),
    hasUnmet(end, automaton) {
      const ways = waysTo(end)
      if (!findsUnmetWalk(graph, ways, { automaton, steps: countSteps() })) return false
      // A walk that goes round in circles is none of the paths that are shown.
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

/** Whether some nodes are left when those are taken away, again and again, to which nothing leads. */
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

/** Where to go from a node: never back to the project, never to where no path to the package leads. */
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
      // Where no path can be met any more, whatever leads on to the package is not.
      if (state === 0n || ways.ends.has(node)) return true
      if (isNews(seen, node, state)) open.push([node, state])
    }
  }
  return false
}

/** Whether a node was not come to in this state, nor in one that is met by fewer paths. */
function isNews(seen: Map<number, bigint[]>, node: number, state: bigint): boolean {
  const states = seen.get(node) ?? []
  if (states.some((each) => (each & state) === each)) return false
  seen.set(node, [...states.filter((each) => (each & state) !== state), state])
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
      // What could be next on some way here could be so on any: states of one path are met one by one.
      const known = seen.get(node) ?? 0n
      if (seen.has(node) && (state & ~known) === 0n) continue
      seen.set(node, known | state)
      open.push([node, known | state])
    }
  }
  return false
}

interface Step {
  readonly node: number
  readonly state: bigint
  readonly next: number[]
}

/** Looks along single paths, none through one node twice, until one is found that is not met and wanted. */
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
