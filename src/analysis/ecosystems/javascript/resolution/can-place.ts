import { npmVersions } from '#analysis/versions/npm.ts'
import { canReplace, peerEntries } from './replace.ts'
import { isSame, isValid, isWithin, resolveFrom, satisfies, type TreeEdge, type TreeNode } from './tree.ts'

/** The effect of placing a package: add it, replace or keep the present one, or break something. */
export type Verdict = 'add' | 'replace' | 'keep' | 'conflict'

/** An attempt to place a package in a folder. */
export interface Attempt {
  readonly node: TreeNode
  readonly edge: TreeEdge
  readonly target: TreeNode
  /** For a peer: the attempt for the requiring package. */
  readonly parent: AttemptResult | undefined
  /** The packages that led to this peer, to stop cycles. */
  readonly peerPath: readonly TreeNode[]
  /** Shared by all attempts of one placement: peers of peers can be tried in exponentially many orders. */
  readonly budget: { attempts: number }
}

export interface AttemptResult extends Attempt {
  /** Including all peers. */
  readonly verdict: Verdict
  /** For the package alone. */
  readonly ownVerdict: Verdict
}

/** Limit of attempts for one placement with all its peers. */
export const maxAttempts = 20_000
const longestPeerPath = 60

/**
 * Tests whether a package and its peers fit into a folder. Follows npm's rules (arborist's can-place-dep) for an
 * install without named packages: higher versions win the higher place, peers prefer present versions.
 */
export function tryPlace(attempt: Attempt): AttemptResult {
  if (attempt.peerPath.length > longestPeerPath || attempt.budget.attempts-- <= 0) {
    return { ...attempt, verdict: 'conflict', ownVerdict: 'conflict' }
  }
  let ownVerdict: Verdict | undefined
  let fits: boolean | undefined
  const verdict = decide(attempt, (own) => {
    ownVerdict = own
    fits ??= peersFit(attempt, own)
    return fits ? own : 'conflict'
  })
  return { ...attempt, verdict, ownVerdict: ownVerdict ?? verdict }
}

/** Returns the deepest folder for the name: above all packages that have it as a peer. */
export function deepestPlace(start: TreeNode, name: string): TreeNode {
  let target = start
  while (target.parent !== undefined && target.edges.get(name)?.isPeer === true) target = target.parent
  return target
}

type Judge = (verdict: Verdict) => Verdict

function decide(attempt: Attempt, withPeers: Judge): Verdict {
  const { node, edge, target } = attempt
  const own = target.edges.get(node.name)
  if (own?.isPeer === true && !target.isTop) return 'conflict'
  const current = target.children.get(node.name)
  if (current !== undefined) return decideAgainst(attempt, current, withPeers)
  if (own !== undefined && own !== edge && !satisfies(node, own)) return 'conflict'
  return wouldShadow(attempt) ? 'conflict' : withPeers('add')
}

/** Returns true if a package below resolves the name further up and does not accept this version. */
function wouldShadow(attempt: Attempt): boolean {
  const { node, target } = attempt
  const above = target === topAttempt(attempt).edge.from ? undefined : resolveFrom(target, node.name)
  if (above === undefined) return false
  for (const edge of above.edgesIn) {
    if (isWithin(edge.from, target) && isValid(edge) && !satisfies(node, edge)) return true
  }
  return false
}

function decideAgainst(attempt: Attempt, current: TreeNode, withPeers: Judge): Verdict {
  const { node, edge, target } = attempt
  if (isSame(node, current) && (satisfies(current, edge) || !satisfies(node, edge))) return 'keep'
  const isNewer = npmVersions.compare(node.version, current.version) >= 0
  if (isNewer && canReplace(node, current)) {
    const verdict = withPeers('replace')
    if (verdict !== 'conflict') return verdict
  }
  if (satisfies(current, edge)) return 'keep'
  if (!isNewer && edge.isPeer && canReplace(node, current)) {
    const verdict = withPeers('replace')
    if (verdict !== 'conflict') return verdict
  }
  if (target !== deepestFor(attempt)) return 'conflict'
  if (!edge.isPeer && target === edge.from) return withPeers('replace')
  if (attempt.parent === undefined && !edge.isPeer) return 'conflict'
  return canOustGroup(attempt, current) ? withPeers('replace') : 'conflict'
}

/** Returns true if every peer group that contains `current` can be replaced by the new group or move deeper. */
function canOustGroup(attempt: Attempt, current: TreeNode): boolean {
  const { node, edge, target } = attempt
  const entry = topAttempt(attempt).edge
  const group = node.parent?.children ?? new Map([[node.name, node]])
  const names = new Set(group.keys())
  let isPossible = true
  for (const [entryEdge, peers] of peerEntries(current)) {
    if (entryEdge === edge || entryEdge === entry || entryEdge.to === undefined) continue
    const replacement = group.get(entryEdge.to.name)
    if (replacement !== undefined && canReplace(replacement, entryEdge.to, names)) continue
    if (replacement === undefined && groupAccepts(entryEdge.to, group)) continue
    for (const peer of peers) {
      const deepest = deepestPlace(entryEdge.from, peer.name)
      if (deepest !== target && !isWithin(target, deepest)) continue
      isPossible = false
      break
    }
  }
  return isPossible
}

function groupAccepts(entry: TreeNode, group: ReadonlyMap<string, TreeNode>): boolean {
  const walked = new Set([entry])
  for (const peer of walked) {
    for (const edge of peer.edges.values()) {
      if (!edge.isPeer || !isValid(edge)) continue
      const replacement = group.get(edge.name)
      if (replacement === undefined) {
        if (edge.to !== undefined) walked.add(edge.to)
      } else if (!satisfies(replacement, edge)) return false
    }
  }
  return true
}

function peersFit(attempt: Attempt, ownVerdict: Verdict): boolean {
  const { node, target, peerPath, budget } = attempt
  const path = [...peerPath, node]
  const parent: AttemptResult = { ...attempt, verdict: ownVerdict, ownVerdict }
  let isFine = true
  for (const edge of node.edges.values()) {
    if (!edge.isPeer || edge.to === undefined || path.includes(edge.to)) continue
    const place = deepestPlace(target, edge.name)
    const { verdict } = tryPlace({ node: edge.to, edge, target: place, parent, peerPath: path, budget })
    if (verdict === 'conflict') isFine = false
  }
  return isFine
}

function deepestFor(attempt: Attempt): TreeNode {
  return deepestPlace(attempt.parent === undefined ? attempt.edge.from : deepestFor(attempt.parent), attempt.node.name)
}

function topAttempt(attempt: Attempt): Attempt {
  let top = attempt
  while (top.parent !== undefined) top = top.parent
  return top
}
