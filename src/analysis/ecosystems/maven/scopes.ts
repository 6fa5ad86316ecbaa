/** One dependency between packages that were kept, with the scope it was declared with. */
export interface ScopedEdge {
  readonly from: number
  readonly to: number
  readonly scope: string
  /** The project's management set the scope: it counts as it stands, whatever is above it. */
  readonly isManaged: boolean
}

/** From what is needed least to what is needed most; a file of the machine gives way to all else. */
const order = ['system', 'test', 'provided', 'runtime', 'compile']

/** The scope as it counts: what Maven does not know is taken for compile, so that nothing is passed over. */
export function toScope(text: string | undefined): string {
  return text !== undefined && order.includes(text) ? text : 'compile'
}

/**
 * The scope of every package, for the project is 0 (JavaScopeSelector and JavaScopeDeriver of Maven's resolver): what the
 * project itself declares counts; below it the widest scope of all ways that lead there.
 */
export function effectiveScopes(nodes: number, edges: readonly ScopedEdge[]): string[] {
  const below: ScopedEdge[][] = Array.from({ length: nodes }, () => [])
  for (const edge of edges) below[edge.from]!.push(edge)
  const scopes: string[] = Array.from({ length: nodes }, () => '')
  const direct = new Set<number>()
  for (const { to, scope } of below[0] ?? []) {
    if (direct.has(to)) continue
    direct.add(to)
    scopes[to] = scope
  }
  const open = [...direct]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { to, scope, isManaged } of below[at]!) {
      const derived = isManaged ? scope : derive(scopes[at]!, scope)
      if (direct.has(to) || order.indexOf(derived) <= order.indexOf(scopes[to]!)) continue
      scopes[to] = derived
      open.push(to)
    }
  }
  return scopes
}

function derive(parent: string, child: string): string {
  if (child === 'system' || child === 'test') return child
  if (parent === 'compile') return child
  if (parent === 'test' || parent === 'runtime') return parent
  return parent === 'system' || parent === 'provided' ? 'provided' : 'runtime'
}
