/** From a module, or the project (empty), to what it asks for. */
export interface StrictEdge {
  readonly from: string
  readonly to: string
  readonly isStrict: boolean
  /** Whether what the other is strict about counts as one's own. */
  readonly endorses: boolean
}

/**
 * Tells whether what a module asks for does not count, because on every way to it somebody strictly wants a version of that
 * ("Declaring rich versions": `strictly` overrules what lies below who says it). `managed` are the modules that a module
 * has strict constraints on.
 */
export function createStrictAbove(
  edges: readonly StrictEdge[],
  managed: ReadonlyMap<string, ReadonlySet<string>>,
): (from: string, module: string) => boolean {
  const isAnyStrict = managed.size > 0 || edges.some(({ isStrict }) => isStrict)
  if (!isAnyStrict) return () => false
  const declared = new Map<string, Set<string>>()
  const strictOf = (from: string) => {
    const known = declared.get(from) ?? new Set(managed.get(from))
    declared.set(from, known)
    return known
  }
  for (const { from, to, isStrict } of edges) if (isStrict) strictOf(from).add(to)
  const endorsed = Map.groupBy(
    edges.filter(({ endorses }) => endorses),
    ({ from }) => from,
  )
  const incoming = Map.groupBy(edges, ({ to }) => to)
  const above = new Map<string, ReadonlySet<string>>([['', new Set()]])

  /** What holds below `from` on the way to one of those it asks for. */
  function passedOn({ from, to }: StrictEdge): ReadonlySet<string> | undefined {
    const inherited = above.get(from)
    if (inherited === undefined) return undefined
    const others = (endorsed.get(from) ?? []).filter((each) => each.to !== to)
    return new Set([...inherited, ...strictOf(from), ...others.flatMap((each) => [...strictOf(each.to)])])
  }

  // Undefined stands for everything; sets only get smaller, so that this ends.
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const [module, ways] of incoming) {
      const passed = ways.flatMap((each) => passedOn(each) ?? [])
      const [first, ...others] = passed
      if (module === '' || first === undefined) continue
      const common = new Set([...first].filter((each) => others.every((other) => other.has(each))))
      if (common.size === above.get(module)?.size) continue
      above.set(module, common)
      hasChanged = true
    }
  }
  return (from, module) => above.get(from)?.has(module) === true
}
