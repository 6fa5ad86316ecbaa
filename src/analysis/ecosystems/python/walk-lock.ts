import { isMet, parseSpecifiers } from '#analysis/versions/pep440-specifiers.ts'
import { parsePythonVersion } from '#analysis/versions/pep440-version.ts'
import type { DependencyGraph, GraphNode } from '../../dependency-graph.ts'
import type { MarkerEnvironment } from '../pip/marker.ts'
import { applies } from '../pip/requirement.ts'
import type { LockedDependency, LockedPackage, PythonLock } from './locked-packages.ts'

/** Packages of a lockfile that are installed in one environment. */
export interface LockWalk {
  readonly graph: DependencyGraph
  readonly reached: ReadonlyMap<LockedPackage, number>
  /** Demands without a package in the lockfile. */
  readonly missing: readonly Demand[]
  /** Demands that no locked version meets, with the version that is locked. */
  readonly unmet: readonly (Demand & { readonly found: LockedPackage })[]
}

export interface Demand {
  readonly dependency: LockedDependency
  /** Undefined for the project. */
  readonly from: LockedPackage | undefined
}

export interface WalkOptions {
  /** Undefined to follow every dependency, whatever its marker. */
  readonly environment: MarkerEnvironment | undefined
  readonly roots: readonly LockedDependency[]
}

/** Rounds of choosing among several versions of one package. */
const MAX_ROUNDS = 5

/**
 * Follows the dependencies of the roots through a lockfile. Of several locked versions of a package, takes those that
 * the environment and all demands allow.
 */
export function walkLock(lock: PythonLock, options: WalkOptions): LockWalk {
  const byName = Map.groupBy(lock.packages, ({ name }) => name)
  const isForked = [...byName.values()].some((each) => each.length > 1)
  const refused = new Set<LockedPackage>()
  const { environment } = options
  // Conditions of packages are about the project's extras, all of which are taken.
  const forPackages = environment && { ...environment, hasAnyExtra: true as const }
  const forDependencies = lock.hasProjectExtras ? forPackages : environment
  for (let round = 1; ; round++) {
    const walk = walkOnce({ byName, refused, roots: options.roots, forPackages, forDependencies })
    const excess = isForked && environment !== undefined ? findExcess(walk, byName) : []
    if (excess.length === 0 || round === MAX_ROUNDS) return walk
    for (const each of excess) refused.add(each)
  }
}

interface Context {
  readonly roots: readonly LockedDependency[]
  readonly forPackages: MarkerEnvironment | undefined
  readonly forDependencies: MarkerEnvironment | undefined
  readonly byName: ReadonlyMap<string, readonly LockedPackage[]>
  readonly refused: ReadonlySet<LockedPackage>
}

interface OpenWalk extends LockWalk {
  readonly graph: { readonly nodes: GraphNode[] }
  readonly reached: Map<LockedPackage, number>
  readonly missing: Demand[]
  readonly unmet: (Demand & { readonly found: LockedPackage })[]
  readonly demands: Map<string, LockedDependency[]>
  /** Known edges: two indexes and a range. */
  readonly connected: Set<string>
}

function walkOnce(context: Context): OpenWalk {
  const { roots, forPackages, forDependencies } = context
  const walk: OpenWalk = {
    graph: { nodes: [{ package: { name: '', version: '' }, edges: [] }] },
    reached: new Map(),
    missing: [],
    unmet: [],
    demands: new Map(),
    connected: new Set(),
  }
  const queue: { readonly from: LockedPackage; readonly extra: string }[] = []
  const seen = new Map<LockedPackage, Set<string>>()
  for (const dependency of roots) follow({ dependency, from: undefined }, [])
  for (const { from, extra } of queue) {
    for (const dependency of from.dependencies) {
      const { ofExtras } = dependency
      if (ofExtras !== undefined && !ofExtras.includes(extra)) continue
      follow({ dependency, from }, extra === '' ? [] : [extra])
    }
  }
  return walk

  function follow(demand: Demand, extras: readonly string[]): void {
    const { dependency, from } = demand
    if (forDependencies !== undefined && !applies(dependency, forDependencies, extras)) return
    for (const to of find(demand)) {
      if (to.isProject) continue
      connect(walk, { from, to, dependency })
      const known = seen.get(to) ?? new Set()
      seen.set(to, known)
      for (const extra of ['', ...dependency.extras]) {
        if (known.has(extra)) continue
        known.add(extra)
        queue.push({ from: to, extra })
      }
    }
  }

  function find(demand: Demand): readonly LockedPackage[] {
    const { name, version } = demand.dependency
    const named = context.byName.get(name)
    if (named === undefined) {
      walk.missing.push(demand)
      return []
    }
    if (forPackages === undefined) return named
    const here = named.filter((each) => !context.refused.has(each) && applies(each, forPackages, []))
    if (version !== undefined) {
      const exact = here.filter((each) => each.version === version)
      return exact.length > 0 ? exact : here
    }
    record(walk.demands, demand.dependency)
    const fitting = here.length === 0 ? here : here.filter((each) => isAllowed(each, demand.dependency.range))
    if (fitting.length > 0) return fitting
    if (here.length > 0) walk.unmet.push({ ...demand, found: here[0]! })
    return here
  }
}

function record(demands: Map<string, LockedDependency[]>, dependency: LockedDependency): void {
  const known = demands.get(dependency.name)
  if (known === undefined) demands.set(dependency.name, [dependency])
  else known.push(dependency)
}

/** Returns reached versions that some demand does not allow, of packages with another reached version that all allow. */
function findExcess({ reached, demands }: OpenWalk, byName: Context['byName']): LockedPackage[] {
  return [...byName].flatMap(([name, packages]) => {
    const found = packages.filter((each) => reached.has(each))
    if (found.length < 2) return []
    const asked = demands.get(name) ?? []
    const isFit = (each: LockedPackage) => asked.every(({ range }) => isAllowed(each, range))
    return found.some(isFit) ? found.filter((each) => !isFit(each)) : []
  })
}

const parsed = new Map<string, ReturnType<typeof parseSpecifiers>>()
const MAX_PARSED = 5_000

/** Returns false only if the range is known and does not allow the version; sources outside of registries always fit. */
function isAllowed({ version, elsewhere }: LockedPackage, range: string): boolean {
  if (range === '' || version === undefined || elsewhere !== undefined) return true
  const specifiers = parseOnce(range)
  if (specifiers === undefined) return true
  const own = parsePythonVersion(version)
  return own === undefined || specifiers.every((specifier) => isMet(specifier, version, own))
}

function parseOnce(range: string): ReturnType<typeof parseSpecifiers> {
  if (parsed.has(range)) return parsed.get(range)
  if (parsed.size >= MAX_PARSED) parsed.clear()
  const specifiers = parseSpecifiers(range)
  parsed.set(range, specifiers)
  return specifiers
}

function connect(
  { graph: { nodes }, reached, connected }: OpenWalk,
  { from, to, dependency }: { from: LockedPackage | undefined; to: LockedPackage; dependency: LockedDependency },
): void {
  const start = from === undefined ? 0 : (reached.get(from) ?? 0)
  let index = reached.get(to)
  if (index === undefined) {
    // The dependencies of a package without a version become dependencies of the project.
    index = to.version === undefined ? 0 : nodes.length
    reached.set(to, index)
    if (to.version !== undefined) nodes.push({ package: { name: to.name, version: to.version }, edges: [] })
  }
  if (index === start || index === 0) return
  const { range, kind } = dependency
  const key = `${start} ${index} ${range}`
  if (connected.has(key)) return
  connected.add(key)
  nodes[start]!.edges.push({ to: index, range, kind })
}
