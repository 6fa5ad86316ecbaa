import type { GraphNode } from '#analysis/dependency-graph.ts'
import type { Peer } from './entry-lock.ts'

/** Details of a node besides its place in the graph. */
export interface Followed {
  readonly name: string
  readonly peers: readonly Peer[]
  /** The nodes that it requires, with the name under which it does. */
  readonly links: { readonly name: string; readonly to: number }[]
}

const MAX_STEPS = 3_000_000

/**
 * Adds an edge from each package to the providers of its peers: a dependent's own dependency of that name, the
 * dependent itself, or the provider of the dependent's peer (Yarn's `resolvePeerDependencies`, where each combination
 * makes a virtual package; here they share one node). A peer without a provider gets no edge. Returns false at the
 * limit of steps.
 */
export function addPeerEdges(nodes: readonly GraphNode[], followed: readonly Followed[]): boolean {
  if (followed.every(({ peers }) => peers.length === 0)) return true
  const nodesByName = followed.map(({ links }) => groupByName(links))
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
        if (++steps > MAX_STEPS) return false
        const brought = bringers(from, peer)
        if (brought === undefined) continue
        const providers = met[child]!.get(peer) ?? new Set<number>()
        const before = providers.size
        for (const index of brought) if (index !== child && ++steps) providers.add(index)
        met[child]!.set(peer, providers)
        if (providers.size > before && !isQueued.has(child)) {
          isQueued.add(child)
          queue.push(child)
        }
      }
    }
  }
  for (const [from, byPeer] of met.entries()) {
    const { peers } = followed[from]!
    const byName = nodesByName[from]!
    for (const { name, range } of peers) {
      for (const to of byPeer.get(name) ?? []) {
        if (to !== 0 && !byName.get(name)?.has(to)) nodes[from]!.edges.push({ to, range, kind: 'peer' })
      }
    }
  }
  return true

  function bringers(from: number, peer: string): Iterable<number> | undefined {
    if (from !== 0 && followed[from]!.name === peer) return [from]
    return nodesByName[from]!.get(peer) ?? met[from]!.get(peer)
  }
}

function groupByName(links: Followed['links']): Map<string, Set<number>> {
  const byName = new Map<string, Set<number>>()
  for (const { name, to } of links) {
    const indexes = byName.get(name)
    if (indexes === undefined) byName.set(name, new Set([to]))
    else indexes.add(to)
  }
  return byName
}
