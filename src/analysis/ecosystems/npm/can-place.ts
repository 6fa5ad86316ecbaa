import { npmVersions } from '#analysis/versions/npm.ts'
import { canReplace, peerEntries } from './replace.ts'
import { isSame, isValid, isWithin, resolveFrom, satisfies, type TreeEdge, type TreeNode } from './tree.ts'

/** What placing would do: add to the folder, replace what is there, keep what is there, or break something. */
export type Verdict = 'add' | 'replace' | 'keep' | 'conflict'

/** A package that might be placed in a folder. */
export interface Trial {
  readonly node: TreeNode
  readonly edge: TreeEdge
  readonly target: TreeNode
  /** For a peer: the trial of the package that brings it. */
  readonly parent: TrialResult | undefined
  /** The packages that brought this peer, against cycles. */
  readonly peerPath: readonly TreeNode[]
  /** Shared by all trials of one placing: peers of peers can be tried in exponentially many orders. */
  readonly budget: { trials: number }
}

export interface TrialResult extends Trial {
  /** With all its peers. */
  readonly verdict: Verdict
  /** For the package alone. */
  readonly ownVerdict: Verdict
}

/** For one placing with all its peers. */
export const mostTrials = 20_000
const longestPeerPath = 60

/**
 * Whether a package and its peers can go into a folder. Follows npm's rules (arborist's can-place-dep) for an install
 * that asks for nothing by name: higher versions win the higher place, peers prefer what is there.
 */
export function tryPlace(trial: Trial): TrialResult {
  if (trial.peerPath.length > longestPeerPath || trial.budget.trials-- <= 0) {
    return { ...trial, verdict: 'conflict', ownVerdict: 'conflict' }
  }
  let ownVerdict: Verdict | undefined
  let fits: boolean | undefined
  const verdict = decide(trial, (own) => {
    ownVerdict = own
    fits ??= peersFit(trial, own)
    return fits ? own : 'conflict'
  })
  return { ...trial, verdict, ownVerdict: ownVerdict ?? verdict }
}

/** The deepest folder in which the name may lie: above everything that has it as a peer. */
export function deepestPlace(start: TreeNode, name: string): TreeNode {
  let target = start
  while (target.parent !== undefined && target.edges.get(name)?.isPeer === true) target = target.parent
  return target
}

type Judge = (verdict: Verdict) => Verdict

function decide(trial: Trial, withPeers: Judge): Verdict {
  const { node, edge, target } = trial
  const own = target.edges.get(node.name)
  if (own?.isPeer === true && !target.isTop) return 'conflict'
  const current = target.children.get(node.name)
  if (current !== undefined) return decideAgainst(trial, current, withPeers)
  if (own !== undefined && own !== edge && !satisfies(node, own)) return 'conflict'
  return wouldShadow(trial) ? 'conflict' : withPeers('add')
}

/** Whether something below finds the name further up today and could not live with this version. */
function wouldShadow(trial: Trial): boolean {
  const { node, target } = trial
  const above = target === topTrial(trial).edge.from ? undefined : resolveFrom(target, node.name)
  if (above === undefined) return false
  for (const edge of above.edgesIn) {
    if (isWithin(edge.from, target) && isValid(edge) && !satisfies(node, edge)) return true
  }
  return false
}

function decideAgainst(trial: Trial, current: TreeNode, withPeers: Judge): Verdict {
  const { node, edge, target } = trial
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
  if (target !== deepestFor(trial)) return 'conflict'
  if (!edge.isPeer && target === edge.from) return withPeers('replace')
  if (trial.parent === undefined && !edge.isPeer) return 'conflict'
  return canOustGroup(trial, current) ? withPeers('replace') : 'conflict'
}

/** Whether every peer group that holds `current` can be replaced by the new group or move deeper. */
function canOustGroup(trial: Trial, current: TreeNode): boolean {
  const { node, edge, target } = trial
  const entry = topTrial(trial).edge
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

function peersFit(trial: Trial, ownVerdict: Verdict): boolean {
  const { node, target, peerPath, budget } = trial
  const path = [...peerPath, node]
  const parent: TrialResult = { ...trial, verdict: ownVerdict, ownVerdict }
  let isFine = true
  for (const edge of node.edges.values()) {
    if (!edge.isPeer || edge.to === undefined || path.includes(edge.to)) continue
    const place = deepestPlace(target, edge.name)
    const { verdict } = tryPlace({ node: edge.to, edge, target: place, parent, peerPath: path, budget })
    if (verdict === 'conflict') isFine = false
  }
  return isFine
}

function deepestFor(trial: Trial): TreeNode {
  return deepestPlace(trial.parent === undefined ? trial.edge.from : deepestFor(trial.parent), trial.node.name)
}

function topTrial(trial: Trial): Trial {
  let top = trial
  while (top.parent !== undefined) top = top.parent
  return top
}
