import { canReplace } from './replace.ts'
import { attach, isValid, newNode, plant, resolveFrom, satisfies, type TreeEdge, type TreeNode } from './tree.ts'

/** Creates the package of an edge, detached; undefined if there is none, which has then been reported. */
export type LoadNode = (edge: TreeEdge) => Promise<TreeNode | undefined>

interface Gathering {
  readonly load: LoadNode
  /** The packages of this set that the install requires. */
  readonly required: Set<TreeNode>
  /** Limits the set: each package requires its peers in turn, which a registry could make endless. */
  packages: number
}

const MAX_PACKAGES = 500

/**
 * Loads the package of an edge. With peers, it is placed in a small tree beside them: a copy of the dependent with the
 * versions on which the dependent and all peers agree best (arborist's peer sets).
 */
export function loadWithPeers(load: LoadNode, edge: TreeEdge): Promise<TreeNode | undefined> {
  return gather({ load, required: new Set([edge.from]), packages: 0 }, edge, undefined)
}

interface Second {
  /** The root of the peer set's tree. */
  readonly root: TreeNode
  /** Another edge that the package should also satisfy if possible. */
  readonly edge: TreeEdge | undefined
}

async function gather(set: Gathering, edge: TreeEdge, within: Second | undefined): Promise<TreeNode | undefined> {
  const first = await set.load(edge)
  if (first === undefined || ++set.packages > MAX_PACKAGES) return first
  if (within === undefined && !hasPeers(first)) return first
  const root = within?.root ?? standIn(edge.from)
  attach(first, root)
  const second = within?.edge
  const node = second === undefined ? first : await settle(set, { edge, second, first })
  if (isAskedFor(set, edge) || (second !== undefined && isAskedFor(set, second))) set.required.add(node)
  await gatherPeers(set, node)
  return node
}

async function settle(
  set: Gathering,
  { edge, second, first }: { edge: TreeEdge; second: TreeEdge; first: TreeNode },
): Promise<TreeNode> {
  if (isValid(second)) return first
  const other = await set.load(second)
  if (other === undefined) return first
  attach(other, first.parent!)
  if (isValid(edge)) return other
  attach(first, other.parent!)
  return first
}

async function gatherPeers(set: Gathering, node: TreeNode): Promise<void> {
  const peers = [...node.edges.values()].filter((edge) => edge.isPeer && !(edge.to !== undefined && isValid(edge)))
  for (const edge of peers.sort(byName)) {
    const root = node.parent
    if (root === undefined) return
    if (edge.isFailed || (edge.to !== undefined && isValid(edge))) continue
    if (edge.to === undefined) await gatherMissing(set, edge, root)
    else await gatherBetter(set, edge, root)
  }
}

async function gatherMissing(set: Gathering, edge: TreeEdge, root: TreeNode): Promise<void> {
  const rootEdge = root.edges.get(edge.name)
  if (rootEdge === undefined) {
    if (edge.dependency.mayBeAbsent) {
      const present = resolveFrom(root.source, edge.name)
      if (present === undefined || satisfies(present, edge)) return
    }
    await gather(set, edge, { root, edge: undefined })
    return
  }
  await gather(set, rootEdge, { root, edge })
  if (edge.to === undefined || !isValid(edge)) edge.isConflicted = true
}

/** Replaces a present version that the edge rejects, if all others accept the change. */
async function gatherBetter(set: Gathering, edge: TreeEdge, root: TreeNode): Promise<void> {
  const current = edge.to!
  const replacement = await gather(set, edge, undefined)
  if (replacement !== undefined && canReplace(replacement, current)) await gather(set, edge, { root, edge: undefined })
}

function standIn(source: TreeNode): TreeNode {
  const { name, packageName, version, license, dependencies, rule } = source
  const root = newNode({ name, packageName, version, license, dependencies, rule, isTop: true, source })
  plant(root)
  for (const child of source.children.values()) {
    if (child.isTop) attach(newNode({ ...child, isTop: true, source: child }), root)
  }
  return root
}

function hasPeers(node: TreeNode): boolean {
  for (const edge of node.edges.values()) if (edge.isPeer) return true
  return false
}

function isAskedFor(set: Gathering, { from, dependency }: TreeEdge): boolean {
  return set.required.has(from) && !(dependency.kind === 'peer' && dependency.mayBeAbsent)
}

function byName(a: TreeEdge, b: TreeEdge): number {
  return a.name.localeCompare(b.name, 'en')
}
