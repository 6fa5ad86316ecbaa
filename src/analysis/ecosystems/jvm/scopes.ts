/** A dependency between kept packages, with its declared scope. */
export interface ScopedEdge {
  readonly from: number
  readonly to: number
  readonly scope: string
  /** True if the project's management set the scope: it applies regardless of the path. */
  readonly isManaged: boolean
}

/** From least to most required; a system file yields to all others. */
const order = ['system', 'test', 'provided', 'runtime', 'compile']

/** Returns the effective scope: unknown ones count as compile, so that nothing is skipped. */
export function toScope(text: string | undefined): string {
  return text !== undefined && order.includes(text) ? text : 'compile'
}

/**
 * Computes the scope of every package for the project, node 0 (JavaScopeSelector and JavaScopeDeriver of Maven's
 * resolver): the project's own declarations count; below, the widest scope of all paths.
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
