import type { TreeNode } from './tree.ts'

/** Nodes whose dependencies must be placed, in npm's order: nearest to the project first, then by path. */
export interface NodeQueue {
  push(node: TreeNode): void
  pop(): TreeNode | undefined
  readonly nodes: readonly TreeNode[]
}

const byLocale = new Intl.Collator('en').compare

export function createNodeQueue(): NodeQueue {
  /** LIFO. */
  const nodes: TreeNode[] = []
  return {
    nodes,
    pop: () => nodes.pop(),
    push(node) {
      let low = 0
      let high = nodes.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (comesBefore(node, nodes[middle]!)) low = middle + 1
        else high = middle
      }
      nodes.splice(low, 0, node)
    },
  }
}

/** Compares names in npm's sort order. */
export function compareNames(a: string, b: string): number {
  return byLocale(a, b)
}

function comesBefore(a: TreeNode, b: TreeNode): boolean {
  return a.depth === b.depth ? byLocale(a.path, b.path) < 0 : a.depth < b.depth
}
