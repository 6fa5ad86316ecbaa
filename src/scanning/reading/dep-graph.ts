import type { GraphNode, Unresolved } from '#analysis/dependency-graph.ts'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import type { VersionScheme } from '#analysis/versions/version-scheme.ts'
import { Problem } from '#foundation/problem.ts'
import { type DepGraph, sizeOf } from './dep-graph-request.ts'
import type { TestedEcosystem } from './package-managers.ts'
import { findPackageManager, packageManagerNames } from './package-managers.ts'
import type { SubjectRead } from './read-subject.ts'

/** Stands for ranges, which graphs do not contain. It is not a valid range, so that no version satisfies it. */
const UNKNOWN_RANGE = '(not told)'

/** Limit on the nodes, packages and dependencies of one graph together. */
const MAX_SIZE = 1_000_000

/** Reads a graph resolved by the client. Throws `Problem` if it is inconsistent or too large. */
export function readDepGraph(
  depGraph: DepGraph,
  maxNodes: number,
): SubjectRead & { readonly ecosystem: TestedEcosystem } {
  const ecosystem = toEcosystem(depGraph)
  refuseHuge(depGraph, maxNodes)
  const { pkgs, graph } = depGraph
  const packages = byId(pkgs, ({ id }) => id, '/depGraph/pkgs')
  const places = byId(graph.nodes, ({ nodeId }) => nodeId, '/depGraph/graph/nodes')
  const root = places.get(graph.rootNodeId)
  if (root === undefined)
    throw contradiction(`no node is called "${shorten(graph.rootNodeId)}"`, '/depGraph/graph/rootNodeId')
  const order = [root, ...graph.nodes.filter((node) => node !== root)]
  const indexes = new Map(order.map(({ nodeId }, index) => [nodeId, index]))
  const positions = new Map(graph.nodes.map((node, index) => [node, index]))
  const nodes = order.map((place): GraphNode => {
    const pointer = `/depGraph/graph/nodes/${positions.get(place)}`
    const entry = packages.get(place.pkgId)
    if (entry === undefined) throw contradiction(`no package has the id "${shorten(place.pkgId)}"`, `${pointer}/pkgId`)
    const { name, version } = entry.info
    const edges = place.deps.map(({ nodeId }, at) => {
      const to = indexes.get(nodeId)
      if (to === undefined)
        throw contradiction(`no node is called "${shorten(nodeId)}"`, `${pointer}/deps/${at}/nodeId`)
      return { to, range: UNKNOWN_RANGE, kind: 'prod' as const }
    })
    return { package: { name, version: version ?? '' }, edges }
  })
  refuseUnreached(nodes, order)
  const reading = {
    graph: { nodes },
    unresolved: withoutVersion(nodes, ecosystem.versions),
    filesRead: [`dependency graph (${depGraph.pkgManager.name})`],
    locked: true,
    excluded: [],
    boundsMet: [],
  }
  return {
    reading,
    manifest: undefined,
    ecosystem,
    resolverWith: (registries) => resolverOf(ecosystem, registries, maxNodes),
  }
}

/** Verifies upgrades by resolving a package alone, without its project. */
async function resolverOf({ id, fixAdvice }: TestedEcosystem, registries: Registries, maxNodes: number) {
  if (fixAdvice === 'none') return undefined
  const ecosystem = ecosystems.find((ecosystem) => ecosystem.id === id)
  const options = { includeDev: false, repositories: [], limits: { maxNodes } }
  return ecosystem?.whatIfResolver?.(undefined, registries, options)
}

function toEcosystem({ pkgManager: { name } }: DepGraph): TestedEcosystem {
  const manager = findPackageManager(name)
  if (manager === undefined) {
    const supported = packageManagerNames.join(', ')
    throw contradiction(
      `there are no advisories for packages of "${shorten(name)}"; there are for ${supported}`,
      '/depGraph/pkgManager/name',
    )
  }
  return manager
}

function refuseHuge(depGraph: DepGraph, maxNodes: number): void {
  const { nodes } = depGraph.graph
  if (nodes.length <= maxNodes && sizeOf(depGraph) <= MAX_SIZE) return
  throw new Problem(
    'test-too-expensive',
    `A graph may have ${maxNodes} nodes, and ${MAX_SIZE} nodes, packages and dependencies together`,
    { source: { pointer: '/depGraph/graph/nodes' } },
  )
}

function byId<T>(list: readonly T[], idOf: (item: T) => string, pointer: string): Map<string, T> {
  const itemsById = new Map<string, T>()
  for (const [index, item] of list.entries()) {
    const id = idOf(item)
    if (itemsById.has(id)) throw contradiction(`"${shorten(id)}" is there twice`, `${pointer}/${index}`)
    itemsById.set(id, item)
  }
  return itemsById
}

/** Refuses unreachable nodes, which would be neither tested nor reported. */
function refuseUnreached(nodes: readonly GraphNode[], order: DepGraph['graph']['nodes']): void {
  const reached = new Set([0])
  for (const index of reached) for (const { to } of nodes[index]!.edges) reached.add(to)
  const missed = order.find((_, index) => !reached.has(index))
  if (missed !== undefined) {
    throw contradiction(`nothing leads from the root to the node "${shorten(missed.nodeId)}"`, '/depGraph/graph/nodes')
  }
}

function withoutVersion(nodes: readonly GraphNode[], versions: VersionScheme): Unresolved[] {
  const unresolved = new Map<string, Unresolved>()
  for (const { package: graphPackage } of nodes.slice(1)) {
    if (versions.isValid(graphPackage.version)) continue
    const reason =
      graphPackage.version === ''
        ? 'The graph tells no version of it'
        : 'Its version in the graph is not valid in its registry'
    unresolved.set(`${graphPackage.name}@${graphPackage.version}`, {
      name: graphPackage.name,
      range: graphPackage.version,
      code: 'version-unknown',
      reason,
      requiredBy: 'the graph',
    })
  }
  return [...unresolved.values()]
}

function contradiction(what: string, pointer: string): Problem {
  return new Problem('unprocessable', `The graph cannot be tested: ${what}`, { source: { pointer } })
}

function shorten(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`
}

// PostgreSQL cannot store NUL, terminals obey other control characters, and half a surrogate pair is not a character.
const unwritable = /[\p{Cc}\p{Cs}\u2028\u2029]/u

/** Refuses a graph that cannot be stored as a project. */
export function refuseUnwritable({ pkgs }: DepGraph): void {
  const at = pkgs.findIndex(({ info: { name, version } }) => unwritable.test(name) || unwritable.test(version ?? ''))
  if (at === -1) return
  throw new Problem(
    'unprocessable',
    'The graph cannot be stored: a package has control characters in its name or version',
    { source: { pointer: `/depGraph/pkgs/${at}/info` } },
  )
}

/** Returns the name of the graph's root package. The graph must have been validated by `readDepGraph`. */
export function nameOfRoot({ pkgs, graph }: DepGraph): string {
  const root = graph.nodes.find(({ nodeId }) => nodeId === graph.rootNodeId)
  return pkgs.find(({ id }) => id === root?.pkgId)?.info.name ?? ''
}
