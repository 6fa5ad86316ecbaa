/** A node of the ESTree that the parser of Vite returns. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

export function nodeAt(node: SyntaxNode, member: string): SyntaxNode | undefined {
  const value = node[member]
  return isNode(value) ? value : undefined
}

export function nodesAt(node: SyntaxNode, member: string): SyntaxNode[] {
  const value = node[member]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** The children of a node, each with the member of the node that holds it. */
export function childrenOf(node: SyntaxNode): (readonly [member: string, child: SyntaxNode])[] {
  return Object.entries(node).flatMap(([member, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isNode).map((child) => [member, child] as const),
  )
}

/** The name of an identifier, of a property key or of the method that a call names. */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === 'Identifier') return String(node['name'])
  if (node?.type === 'Literal') return String(node['value'])
  if (node?.type === 'MemberExpression' && !node['computed']) return nameOf(nodeAt(node, 'property'))
  return undefined
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
