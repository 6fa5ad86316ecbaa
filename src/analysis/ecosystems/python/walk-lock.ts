import { isMet, parseSpecifiers } from '#analysis/versions/pep440-specifiers.ts'
import { parsePythonVersion } from '#analysis/versions/pep440-version.ts'
import type { DependencyGraph, GraphNode } from '../../dependency-graph.ts'
import type { LockedDependency, LockedPackage, PythonLock } from './locked-packages.ts'
import type { Marker, MarkerEnvironment } from './packaging/marker.ts'
import { applies } from './packaging/requirement.ts'
import { unknownRange } from './resolution/locked.ts'

/** Packages of a lockfile that are installed in one environment. */
export interface LockWalk {
  readonly graph: DependencyGraph
  readonly reached: ReadonlyMap<LockedPackage, number>
  /** Demands without a package in the lockfile. */
  readonly missing: readonly Demand[]
  /** Demands that apply in the environment and whose packages do not. */
  readonly forOthers: readonly Demand[]
  /** Demands that no locked version meets, with the version that is locked. */
  readonly unmet: readonly (Demand & { readonly locked: LockedPackage })[]
}

export interface Demand {
  readonly dependency: LockedDependency
  /** Undefined for the project. */
  readonly from: LockedPackage | undefined
}

export interface WalkOptions {
  readonly environment: MarkerEnvironment
  readonly roots: readonly LockedDependency[]
}

type ByName = ReadonlyMap<string, readonly LockedPackage[]>

/** Rounds of choosing among several versions of one package. */
const MAX_ROUNDS = 5

/**
 * Follows the dependencies of the roots through a lockfile. Of several locked versions of a package, takes those that
 * the environment and all demands allow.
 */
export function walkLock(lock: PythonLock, { environment, roots }: WalkOptions): LockWalk {
  const byName = Map.groupBy(lock.packages, ({ name }) => name)
  const isForked = byName.size < lock.packages.length
  const refused = new Set<LockedPackage>()
  // Conditions of packages are about the project's extras, all of which are taken.
  const forPackages = createJudge({ ...environment, hasAnyExtra: true })
  const forDependencies = lock.hasProjectExtras ? forPackages : createJudge(environment)
  for (let round = 1; ; round++) {
    const walk = walkOnce({ byName, isForked, refused, roots, forPackages, forDependencies })
    // Poetry 2 installs every entry of a group, also two versions of one package.
    const excess = isForked ? findExcess(walk, byName).filter(({ groups }) => groups === undefined) : []
    if (excess.length === 0 || round === MAX_ROUNDS) return walk
    for (const lockedPackage of excess) refused.add(lockedPackage)
  }
}

/** Returns the packages that the roots lead to in some environment: every dependency is followed, whatever its marker. */
export function reachedAnywhere(
  lock: PythonLock,
  roots: readonly LockedDependency[],
): Pick<ReadonlySet<LockedPackage>, 'has'> {
  const byName = Map.groupBy(lock.packages, ({ name }) => name)
  const open: Queue = { seen: new Map(), queue: [] }
  const followed = new Set<string>()
  const follow = ({ name, version, extras }: LockedDependency) => {
    const sizeBefore = followed.size
    // Each package may ask for all versions of another.
    if (followed.add(JSON.stringify([name, version, extras])).size === sizeBefore) return
    const candidates = byName.get(name) ?? []
    for (const to of ofVersion(candidates, version)) if (!to.isProject) enqueue(open, to, extras)
  }
  for (const root of roots) follow(root)
  for (const { from, extra } of open.queue) {
    for (const dependency of from.dependencies) {
      if (dependency.ofExtras === undefined || dependency.ofExtras.includes(extra)) follow(dependency)
    }
  }
  return open.seen
}

/** Returns the entries of a version; all if no version is named or none has it. */
function ofVersion(candidates: readonly LockedPackage[], version: string | undefined): readonly LockedPackage[] {
  if (version === undefined || candidates.length < 2) return candidates
  const exact = candidates.filter((candidate) => candidate.version === version)
  return exact.length === 0 ? candidates : exact
}

interface Queue {
  /** The extras with which each package is followed; empty for none. */
  readonly seen: Map<LockedPackage, Set<string>>
  readonly queue: { readonly from: LockedPackage; readonly extra: string }[]
}

/** Adds a package to what is followed, once without extras and once for each of them. */
function enqueue({ seen, queue }: Queue, from: LockedPackage, extras: readonly string[]): void {
  const visited = seen.get(from) ?? new Set()
  seen.set(from, visited)
  for (const extra of ['', ...extras]) {
    if (visited.has(extra)) continue
    visited.add(extra)
    queue.push({ from, extra })
  }
}

/** Returns true for what applies with an extra, or none. A lockfile repeats few markers thousands of times. */
type Judge = (subject: { readonly marker: Marker | undefined }, extra: string) => boolean

function createJudge(environment: MarkerEnvironment): Judge {
  const byExtra = new Map<string, Map<Marker, boolean>>()
  return ({ marker }, extra) => {
    if (marker === undefined) return true
    let judged = byExtra.get(extra)
    if (judged === undefined) {
      judged = new Map()
      byExtra.set(extra, judged)
    }
    const cached = judged.get(marker)
    if (cached !== undefined) return cached
    const holds = applies({ marker }, environment, extra === '' ? [] : [extra])
    judged.set(marker, holds)
    return holds
  }
}

interface Context {
  readonly roots: readonly LockedDependency[]
  readonly forPackages: Judge
  readonly forDependencies: Judge
  readonly byName: ByName
  /** True if some package has several versions: all that is asked of them decides among these. */
  readonly isForked: boolean
  readonly refused: ReadonlySet<LockedPackage>
}

interface OpenWalk extends LockWalk {
  readonly graph: { readonly nodes: GraphNode[] }
  readonly reached: Map<LockedPackage, number>
  readonly missing: Demand[]
  readonly forOthers: Demand[]
  readonly unmet: (Demand & { readonly locked: LockedPackage })[]
  readonly demands: LockedDependency[]
  /** Known edges, each by its ends and its range. */
  readonly connected: Set<string>
}

function walkOnce(context: Context): OpenWalk {
  const { byName, isForked, refused, roots, forPackages, forDependencies } = context
  const walk: OpenWalk = {
    graph: { nodes: [{ package: { name: '', version: '' }, edges: [] }] },
    reached: new Map(),
    missing: [],
    forOthers: [],
    unmet: [],
    demands: [],
    connected: new Set(),
  }
  const open: Queue = { seen: new Map(), queue: [] }
  const isHere = (lockedPackage: LockedPackage) => !refused.has(lockedPackage) && forPackages(lockedPackage, '')
  for (const dependency of roots) follow(dependency, undefined, '')
  for (const { from, extra } of open.queue) {
    for (const dependency of from.dependencies) {
      const { ofExtras } = dependency
      if (ofExtras !== undefined && !ofExtras.includes(extra)) continue
      follow(dependency, from, extra)
    }
  }
  return walk

  function follow(dependency: LockedDependency, from: LockedPackage | undefined, extra: string): void {
    if (!forDependencies(dependency, extra)) return
    for (const to of find(dependency, from)) {
      if (to.isProject) continue
      connect(walk, from, { to, dependency })
      enqueue(open, to, dependency.extras)
    }
  }

  function find(dependency: LockedDependency, from: LockedPackage | undefined): readonly LockedPackage[] {
    const { name, version, range } = dependency
    const candidates = byName.get(name)
    if (candidates === undefined) {
      walk.missing.push({ dependency, from })
      return []
    }
    const here = candidates.filter(isHere)
    if (version !== undefined) {
      const exact = candidates.filter((candidate) => candidate.version === version)
      if (exact.length === 0) {
        walk.missing.push({ dependency, from })
        return here
      }
      // Conditions tell entries of one version from two sources apart.
      const exactHere = exact.filter(isHere)
      return exactHere.length === 0 && dependency.isExact === true ? exact : exactHere
    }
    if (here.length === 0 && candidates.every((candidate) => !refused.has(candidate)))
      walk.forOthers.push({ dependency, from })
    if (range === '' || range === unknownRange) return here
    if (isForked) walk.demands.push(dependency)
    const fitting = here.filter((lockedPackage) => isAllowed(lockedPackage, range))
    if (fitting.length > 0) return fitting
    if (here.length > 0) walk.unmet.push({ dependency, from, locked: here[0]! })
    return here
  }
}

/** Returns reached versions that some demand does not allow, of packages with another reached version that all allow. */
function findExcess({ reached, demands }: OpenWalk, byName: ByName): LockedPackage[] {
  const demandsByName = Map.groupBy(demands, ({ name }) => name)
  return [...byName].flatMap(([name, packages]) => {
    const present = packages.filter((lockedPackage) => reached.has(lockedPackage))
    if (present.length < 2) return []
    const requirements = demandsByName.get(name) ?? []
    const isFit = (lockedPackage: LockedPackage) => requirements.every(({ range }) => isAllowed(lockedPackage, range))
    return present.some(isFit) ? present.filter((lockedPackage) => !isFit(lockedPackage)) : []
  })
}

/** Returns false only if the range is known and does not allow the version; sources outside of registries always fit. */
function isAllowed({ version, elsewhere }: LockedPackage, range: string): boolean {
  if (range === '' || version === undefined || elsewhere !== undefined) return true
  const specifiers = parseSpecifiers(range)
  if (specifiers === undefined) return true
  const own = parsePythonVersion(version)
  return own === undefined || specifiers.every((specifier) => isMet(specifier, version, own))
}

function connect(
  walk: OpenWalk,
  from: LockedPackage | undefined,
  { to, dependency: { range, kind } }: { to: LockedPackage; dependency: LockedDependency },
): void {
  const { graph, reached, connected } = walk
  const { nodes } = graph
  const start = from === undefined ? 0 : (reached.get(from) ?? 0)
  let index = reached.get(to)
  if (index === undefined) {
    // The dependencies of a package without a version become dependencies of the project.
    index = to.version === undefined ? 0 : nodes.length
    reached.set(to, index)
    if (to.version !== undefined) nodes.push(toNode(to, to.version))
  }
  if (index === start || index === 0) return
  const sizeBefore = connected.size
  if (connected.add(`${start} ${index} ${range}`).size > sizeBefore)
    nodes[start]!.edges.push({ to: index, range, kind })
}

function toNode({ name, isLocal }: LockedPackage, version: string): GraphNode {
  return { package: { name, version }, edges: [], ...(isLocal && { isProject: true }) }
}
