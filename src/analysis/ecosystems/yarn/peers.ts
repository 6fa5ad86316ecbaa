import type { GraphNode } from '../../dependency-graph.ts'
import type { Peer } from './yarn-lock.ts'

/** What is known of a node besides its place in the graph. */
export interface Followed {
  readonly name: string
  readonly peers: readonly Peer[]
  /** The nodes behind the names that it asks for. */
  readonly byName: Map<string, Set<number>>
}

const mostSteps = 3_000_000

/**
 * Adds an edge from each package to what meets its peers: what a dependent asks for under that name, the dependent
 * itself, or what meets the dependent's own peer of that name (Yarn's `resolvePeerDependencies`, where every such way
 * makes a virtual package; here they share one node). A peer that nothing brings has no edge. False when it takes too
 * many steps.
 */
export function addPeerEdges(nodes: readonly GraphNode[], followed: readonly Followed[]): boolean {
  const met = followed.map(() => new Map<string, Set<number>>())
  const queue = followed.map((_, index) => index)
  const isQueued = new Set(queue)
  const children = nodes.map(({ edges }) => [...new Set(edges.map(({ to }) => to))])
  let steps = 0
  for (let at = 0; at < queue.length; at++) {
    const from = queue[at]!
    isQueued.delete(from)
    for (const child of children[from]!) {
      for (const { name: peer } of followed[child]!.peers) {
        if (++steps > mostSteps) return false
        const brought = bringers(from, peer)
        if (brought === undefined) continue
        const known = met[child]!.get(peer) ?? new Set<number>()
        const before = known.size
        for (const index of brought) if (index !== child && ++steps) known.add(index)
        met[child]!.set(peer, known)
        if (known.size > before && !isQueued.has(child)) {
          isQueued.add(child)
          queue.push(child)
        }
      }
    }
  }
  for (const [from, byPeer] of met.entries()) {
    const { byName, peers } = followed[from]!
    for (const { name, range } of peers) {
      for (const to of byPeer.get(name) ?? []) {
        if (to !== 0 && !byName.get(name)?.has(to)) nodes[from]!.edges.push({ to, range, kind: 'peer' })
      }
    }
  }
  return true

  function bringers(from: number, peer: string): Iterable<number> | undefined {
    const { name, byName } = followed[from]!
    if (from !== 0 && name === peer) return [from]
    return byName.get(peer) ?? met[from]!.get(peer)
  }
}
