import { isValid, satisfies, type TreeEdge, type TreeNode } from './tree.ts'

/** Returns true if `replacement` satisfies all users of `current` in its place. */
export function canReplace(
  replacement: TreeNode,
  current: TreeNode,
  ignoredPeers: ReadonlySet<string> = none,
): boolean {
  if (current.isTop || replacement.name !== current.name || replacement.packageName !== current.packageName)
    return false
  if (current.edges.size > 0 && replacement.rule !== current.rule) return false
  const opposed = [...current.edgesIn].filter((edge) => {
    const isIgnored = edge.isPeer && edge.from.parent === current.parent && ignoredPeers.has(edge.from.name)
    return !isIgnored && !satisfies(replacement, edge)
  })
  if (opposed.length === 0) return true
  const own = onlyServing([current], (edge) => edge.to !== current && isValid(edge))
  return opposed.every((edge) => own.has(edge.from))
}

/** Returns the nodes and everything reached over edges that count, except what others need too. */
export function onlyServing(nodes: Iterable<TreeNode>, counts: (edge: TreeEdge) => boolean): Set<TreeNode> {
  const serving = new Set(nodes)
  for (const node of serving) {
    for (const edge of node.edges.values())
      if (edge.to !== undefined && !edge.to.isTop && counts(edge)) serving.add(edge.to)
  }
  const isNeededElsewhere = (node: TreeNode) => {
    for (const edge of node.edgesIn) if (!serving.has(edge.from) && counts(edge)) return true
    return false
  }
  const suspects = new Set(serving)
  for (const node of suspects) {
    suspects.delete(node)
    if (!serving.has(node) || !isNeededElsewhere(node)) continue
    serving.delete(node)
    for (const edge of node.edges.values()) if (edge.to !== undefined && serving.has(edge.to)) suspects.add(edge.to)
  }
  return serving
}

/** Returns the edges through which groups of mutual peers enter a tree, each with its group. */
export function peerEntries(node: TreeNode): Map<TreeEdge, Set<TreeNode>> {
  const union = new Set([node])
  for (const peer of union) {
    for (const edge of peer.edges.values())
      if (edge.isPeer && edge.to !== undefined && isValid(edge)) union.add(edge.to)
    for (const edge of peer.edgesIn) if (edge.isPeer && isValid(edge)) union.add(edge.from)
  }
  const entries = new Map<TreeEdge, Set<TreeNode>>()
  for (const peer of union) {
    for (const edge of peer.edgesIn) {
      if (!isValid(edge) || (edge.isPeer && !edge.from.isTop)) continue
      const group = peersBelow(peer)
      if (group.has(node)) entries.set(edge, group)
    }
  }
  return entries
}

function peersBelow(entry: TreeNode): Set<TreeNode> {
  const group = new Set([entry])
  for (const peer of group) {
    for (const edge of peer.edges.values())
      if (edge.isPeer && edge.to !== undefined && isValid(edge)) group.add(edge.to)
  }
  return group
}

const none: ReadonlySet<string> = new Set()
