import { npmVersions } from '#analysis/versions/npm.ts'
import { type AttemptResult, deepestPlace, maxAttempts, tryPlace } from './can-place.ts'
import { canReplace, onlyServing, peerEntries } from './replace.ts'
import {
  attach,
  detach,
  isSame,
  isValid,
  isWithin,
  linkTo,
  newNode,
  resolveFrom,
  satisfies,
  type TreeEdge,
  type TreeNode,
} from './tree.ts'

/** The effects on the tree of placing one dependency with its peers. */
export interface Placement {
  readonly placed: TreeNode[]
  /** Nodes whose dependencies may be unmet now. */
  readonly toRevisit: TreeNode[]
  /** Peers that could not be placed; npm refuses such a project, and warns about such packages. */
  readonly conflicts: TreeEdge[]
}

interface Placing {
  readonly node: TreeNode
  readonly edge: TreeEdge
  readonly parent: { readonly start: TreeNode; readonly attempt: AttemptResult } | undefined
  readonly budget: { attempts: number }
}

/**
 * Places a package, and those of its peers that the tree does not satisfy, as high as possible (arborist's place-dep).
 * `node` is detached or in a peer set's tree; copies of it are placed.
 */
export function place(node: TreeNode, edge: TreeEdge): Placement {
  const placement: Placement = { placed: [], toRevisit: [], conflicts: [] }
  const budget = { attempts: maxAttempts }
  const open: Placing[] = [{ node, edge, parent: undefined, budget }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const peers = placeOne(next, placement)
    open.push(...peers.reverse())
  }
  return placement
}

/** Places one package. Returns the packages to place next because of it. */
function placeOne({ node, edge, parent, budget }: Placing, placement: Placement): Placing[] {
  const from = parent?.start ?? edge.from
  // An earlier placement may have removed the dependent.
  if (edge.from.tree === undefined || from.tree === undefined) return []
  if (edge.to !== undefined && isValid(edge)) return []
  const start = deepestPlace(from, edge.name)
  const attempt = findPlace({ node, edge, parent, budget }, start)
  if (attempt === undefined) {
    edge.isConflicted = true
    placement.conflicts.push(edge)
    return []
  }
  const { target } = attempt
  const verdict = attempt.verdict === 'conflict' ? attempt.ownVerdict : attempt.verdict
  if (verdict === 'keep') {
    if (edge.isPeer && !isValid(edge)) accept(edge, placement)
    pruneDuplicates(target)
    return []
  }
  const loop = findSameAbove(target, node)
  if (loop !== undefined) {
    linkTo(target, loop)
    return []
  }
  const placed = copy(node)
  const before = edge.to
  const wasValid = isValid(edge)
  const old = target.children.get(node.name)
  if (old === undefined) attach(placed, target)
  else replaceOld(placed, old, placement)
  placement.placed.push(placed)
  if (edge.isPeer && !satisfies(placed, edge)) accept(edge, placement)
  if (wasValid && before !== undefined && before !== placed) dedupe(before)
  pruneBelow(target, placed)
  noteInvalid(placed, edge, placement)
  return peersToPlace(node, placed).map(([peer, peerEdge]) => ({
    node: peer,
    edge: peerEdge,
    parent: { start, attempt },
    budget,
  }))
}

/**
 * Walks up from `start` to the highest folder before the first conflict, or the last one that fits the package alone.
 */
function findPlace({ node, edge, parent, budget }: Placing, start: TreeNode): AttemptResult | undefined {
  let best: AttemptResult | undefined
  let alone: AttemptResult | undefined
  for (let target: TreeNode | undefined = start; target !== undefined; target = target.parent) {
    if (!target.isTop && target.edges.get(edge.name)?.isPeer === true) continue
    const attempt = tryPlace({ node, edge, target, parent: parent?.attempt, peerPath: [], budget })
    if (attempt.ownVerdict !== 'conflict') alone = attempt
    if (attempt.verdict === 'conflict') break
    best = attempt
  }
  return best ?? alone
}

/** Returns the package's peers from its peer set. */
function peersToPlace(node: TreeNode, placed: TreeNode): [TreeNode, TreeEdge][] {
  const peers: [TreeNode, TreeEdge][] = []
  for (const edge of placed.edges.values()) {
    if (!edge.isPeer || edge.isConflicted || isValid(edge)) continue
    const peer = node.parent?.children.get(edge.name)
    if (peer !== undefined && satisfies(peer, edge)) peers.push([peer, edge])
  }
  return peers
}

function copy(node: TreeNode): TreeNode {
  const { name, packageName, version, license, dependencies, rule } = node
  return newNode({ name, packageName, version, license, dependencies, rule })
}

function findSameAbove(target: TreeNode, node: TreeNode): TreeNode | undefined {
  for (let above: TreeNode | undefined = target; above !== undefined; above = above.parent) {
    if (!above.isTop && isSame(above, node)) return above
  }
  return undefined
}

function accept(edge: TreeEdge, placement: Placement): void {
  edge.isConflicted = true
  placement.conflicts.push(edge)
}

function noteInvalid(placed: TreeNode, edge: TreeEdge, placement: Placement): void {
  for (const other of placed.edgesIn) {
    if (other !== edge && !other.isConflicted && !isValid(other)) placement.toRevisit.push(other.from)
  }
}

/** Replaces `old` with `placed`, and removes packages needed only by `old` and peer groups that can move deeper. */
function replaceOld(placed: TreeNode, old: TreeNode, placement: Placement): void {
  const target = old.parent!
  const formerDependencies: TreeNode[] = []
  for (const edge of old.edges.values()) {
    if (edge.to === undefined || edge.to.isTop || placed.edges.has(edge.name)) continue
    formerDependencies.push(...onlyServing([edge.to], (other) => other.to !== edge.to))
  }
  const groups: TreeNode[] = []
  for (const edge of old.edgesIn) {
    if (!edge.isPeer || edge.isConflicted || edge.from.parent !== target || satisfies(placed, edge)) continue
    for (const entry of peerEntries(edge.from).keys()) {
      if (entry.to === undefined || entry.to.isTop) continue
      if (entry.from.isTop || deepestPlace(entry.to, entry.name) === target) accept(edge, placement)
      else groups.push(...onlyServing([entry.to], (other) => other.to !== entry.to && !other.isConflicted))
    }
  }
  attach(placed, target)
  pruneUnneeded(placed, formerDependencies)
  for (const member of groups) {
    if (member.tree === undefined || member === placed) continue
    for (const edge of member.edgesIn) placement.toRevisit.push(edge.from)
    detach(member)
  }
}

function pruneUnneeded(placed: TreeNode, formerDependencies: readonly TreeNode[]): void {
  const unneeded = new Set<TreeNode>()
  for (const edge of placed.edges.values())
    if (edge.to !== undefined && !isValid(edge) && !edge.to.isTop) unneeded.add(edge.to)
  for (const node of formerDependencies) {
    if (node.tree === undefined) continue
    for (const below of onlyServing([node], (edge) => edge.to !== node && isValid(edge))) unneeded.add(below)
  }
  const counts = (edge: TreeEdge) => edge.from !== placed && edge.to !== placed && isValid(edge)
  for (const node of onlyServing(unneeded, counts)) if (node !== placed) detach(node)
}

/** Removes deeper copies that became redundant. */
function pruneBelow(target: TreeNode, placed: TreeNode): void {
  const { tree } = target
  if (tree === undefined) return
  const copies = new Set<TreeNode>()
  for (const edge of tree.edgesByName.get(placed.name) ?? []) if (edge.to !== undefined) copies.add(edge.to)
  for (const node of copies) {
    if (node === placed || node.isTop || node.tree !== tree || !isWithin(node, target)) continue
    dedupe(node)
    if (node.tree === tree) for (const child of [...node.children.values()]) if (child.parent === node) dedupe(child)
  }
}

function pruneDuplicates(target: TreeNode): void {
  const open = [target]
  for (const node of open) {
    for (const child of [...node.children.values()].sort(byName)) {
      if (child.parent !== node) continue
      if (child.isTop || !dedupe(child)) open.push(child)
    }
  }
}

function dedupe(node: TreeNode): boolean {
  if (!isSuperfluous(node)) return false
  for (const gone of onlyServing([node], (edge) => edge.to !== node && isValid(edge))) detach(gone)
  return true
}

function isSuperfluous(node: TreeNode): boolean {
  if (node.isTop || node.parent?.parent === undefined) return false
  if (node.edgesIn.size === 0) return true
  const other = resolveFrom(node.parent.parent, node.name)
  if (other === undefined) return false
  if (isSame(other, node)) return true
  if (!canReplace(other, node)) return false
  const order = npmVersions.compare(other.version, node.version)
  return order === 0 || (order > 0 && node.rule === undefined)
}

function byName(a: TreeNode, b: TreeNode): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
