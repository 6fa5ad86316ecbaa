/** From a module, or the project (empty), to its dependency. */
export interface StrictEdge {
  readonly from: string
  readonly to: string
  readonly isStrict: boolean
  /** True if the strict versions of the target count as one's own. */
  readonly endorses: boolean
}

/**
 * Finds demands that do not count because on every path to the module an ancestor has a strict version of the target
 * ("Declaring rich versions": `strictly` overrules everything below). `managed` are the modules with strict constraints
 * of a module.
 */
export function createStrictAbove(
  edges: readonly StrictEdge[],
  managed: ReadonlyMap<string, ReadonlySet<string>>,
): (from: string, module: string) => boolean {
  const isAnyStrict = managed.size > 0 || edges.some(({ isStrict }) => isStrict)
  if (!isAnyStrict) return () => false
  const declared = new Map<string, Set<string>>()
  const strictOf = (from: string) => {
    const strictModules = declared.get(from) ?? new Set(managed.get(from))
    declared.set(from, strictModules)
    return strictModules
  }
  for (const { from, to, isStrict } of edges) if (isStrict) strictOf(from).add(to)
  const endorsed = Map.groupBy(
    edges.filter(({ endorses }) => endorses),
    ({ from }) => from,
  )
  const incoming = Map.groupBy(edges, ({ to }) => to)
  const above = new Map<string, ReadonlySet<string>>([['', new Set()]])

  /** Returns the strict modules that apply below an edge. */
  function passedOn({ from, to }: StrictEdge): ReadonlySet<string> | undefined {
    const inherited = above.get(from)
    if (inherited === undefined) return undefined
    const others = (endorsed.get(from) ?? []).filter((edge) => edge.to !== to)
    return new Set([...inherited, ...strictOf(from), ...others.flatMap((edge) => [...strictOf(edge.to)])])
  }

  // Undefined means all modules; sets only shrink, so this terminates.
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const [module, ways] of incoming) {
      const passed = ways.flatMap((way) => passedOn(way) ?? [])
      const [first, ...others] = passed
      if (module === '' || first === undefined) continue
      const common = new Set([...first].filter((moduleName) => others.every((other) => other.has(moduleName))))
      if (common.size === above.get(module)?.size) continue
      above.set(module, common)
      hasChanged = true
    }
  }
  return (from, module) => above.get(from)?.has(module) === true
}
