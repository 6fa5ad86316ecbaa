import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { parsePythonVersion } from '#analysis/versions/pep440-version.ts'
import type { DependencyKind, GraphNode, Unresolved } from '../../dependency-graph.ts'
import type { Reading, ReadOptions } from '../ecosystem.ts'
import { defaultPythonTarget } from '../python-target.ts'
import { findOtherPackages, type NamedPackage } from './lock-doubts.ts'
import type { LockedPackage, PythonLock } from './locked-packages.ts'
import { chooseEnvironment, type EnvironmentReading } from './packaging/choose-environment.ts'
import { describeTarget, type PythonEnvironment } from './packaging/environment.ts'
import type { Marker } from './packaging/marker.ts'
import type { DeclaredPython } from './packaging/python-of-files.ts'
import { applies } from './packaging/requirement.ts'
import { toDirect } from './roots.ts'
import { type Demand, type LockWalk, reachedAnywhere, type WalkOptions, walkLock } from './walk-lock.ts'

export interface LockParts {
  readonly options: ReadOptions
  readonly declared: DeclaredPython | undefined
  /** Names of the files read; the first one is the target's. */
  readonly filesRead: readonly string[]
  /** Contradictions between the lockfile and the manifest. */
  readonly unresolved: readonly Unresolved[]
}

interface LockReading extends EnvironmentReading {
  readonly walk: LockWalk
  /** Packages that only developers need. */
  readonly dev: ReadonlySet<LockedPackage>
  /** Packages that nothing requires. */
  readonly strays: readonly LockedPackage[]
}

/** Reads the packages that a tool installs from its lockfile, without development dependencies unless asked for. */
export function readLock(lock: PythonLock, parts: LockParts): Reading {
  const { options, declared, filesRead } = parts
  refuseTooMany(lock, options)
  const { reading, unresolved } = chooseEnvironment(options.python ?? defaultPythonTarget, {
    declared,
    file: lock.name,
    readFor: (environment) => readFor(lock, environment, options),
  })
  const { walk, environment, dev, strays } = reading
  const { nodes } = walk.graph
  const doubts: Unresolved[] = []
  for (const lockedPackage of walk.reached.keys()) {
    const others = findOtherPackages(lockedPackage)
    if (others.length > 0) doubts.push(...addOthers(lockedPackage, others, { lock, walk }))
  }
  return {
    graph: { nodes },
    unresolved: [
      ...unresolved,
      ...findOtherEnvironment(lock, environment),
      ...parts.unresolved,
      ...doubts,
      ...reportsOf(lock, walk),
    ],
    filesRead: filesRead.map((name, at) => (at === 0 ? `${name} (for ${describeTarget(environment.target)})` : name)),
    locked: true,
    excluded: [
      ...(dev.size > 0 ? [{ reason: 'dev' as const, packages: dev.size }] : []),
      ...(reading.forOthers > 0 ? [{ reason: 'other-environment' as const, packages: reading.forOthers }] : []),
    ],
    boundsMet: strays.length === 0 ? [] : [describeStrays(strays)],
  }
}

/** Reports a lockfile that was not written for the environment: it lacks what only that environment needs. */
function findOtherEnvironment(
  { name, environments, update }: PythonLock,
  { target, markers }: PythonEnvironment,
): Unresolved[] {
  const isWritten = (marker: Marker) => applies({ marker }, { ...markers, hasAnyExtra: true }, [])
  if (environments === undefined || environments.some(isWritten)) return []
  const reason = `It was written for other environments than ${describeTarget(target)}, for which it was tested. Name another in the request (pythonVersion), or let ${update} write it for this one`
  return [{ name, range: '', code: 'other-environment', reason, requiredBy: name }]
}

function refuseTooMany({ packages, file }: PythonLock, { limits: { maxNodes } }: ReadOptions): void {
  if (packages.length <= maxNodes) return
  throw new Unreadable(`The lockfile has more than ${maxNodes} packages, the limit`, { file })
}

function readFor(lock: PythonLock, environment: PythonEnvironment, { includeDev }: ReadOptions): LockReading {
  const { true: devRoots = [], false: prodRoots = [] } = Object.groupBy(lock.roots, ({ kind }) =>
    kind === 'dev' ? 'true' : 'false',
  )
  const selectedRoots = includeDev ? lock.roots : prodRoots
  const { byDefault, all } = lock.groups ?? {}
  const markersWith = (groups: ReadonlySet<string> | undefined) => ({
    ...environment.markers,
    ...(groups !== undefined && { groups }),
  })
  const markers = markersWith(includeDev ? all : byDefault)
  const kinds = includeDev ? allKinds : prodKinds
  const required = walkLock(lock, { environment: markers, roots: selectedRoots })
  const strays = findStrays(lock, { kinds, isRequired: (lockedPackage) => required.reached.has(lockedPackage) })
  const roots = [...selectedRoots, ...leadersOf(lock, strays).map((lockedPackage) => toDirect(lockedPackage, 'prod'))]
  const entries = { environment: markers, roots, kinds }
  const walk = addEntries(lock, strays.length === 0 ? required : walkLock(lock, entries), entries)
  const hasDev = !includeDev && (devRoots.length > 0 || (all?.size ?? 0) > (byDefault?.size ?? 0))
  const forDev = { environment: markersWith(all), roots: [...lock.roots, ...roots], kinds: allKinds }
  const withDev = hasDev ? addEntries(lock, walkLock(lock, forDev), forDev) : walk
  const onlyDev = new Set(
    withDev === walk ? [] : [...withDev.reached.keys()].filter((lockedPackage) => !walk.reached.has(lockedPackage)),
  )
  const isHere = (lockedPackage: LockedPackage) =>
    lockedPackage.isProject || walk.reached.has(lockedPackage) || onlyDev.has(lockedPackage)
  const forOthers = lock.packages.filter((lockedPackage) => !isHere(lockedPackage)).length
  return { environment, walk, dev: onlyDev, strays, packages: walk.reached.size, forOthers }
}

const prodKinds: ReadonlySet<DependencyKind> = new Set(['prod', 'optional'])
const allKinds: ReadonlySet<DependencyKind> = new Set([...prodKinds, 'dev'])

interface StrayOptions {
  readonly kinds: ReadonlySet<DependencyKind>
  /** True for packages that the project requires in the environment. */
  readonly isRequired: (locked: LockedPackage) => boolean
}

/** Returns packages of the wanted kinds that the project requires in no environment. */
function findStrays(lock: PythonLock, { kinds, isRequired }: StrayOptions): LockedPackage[] {
  const isWanted = ({ groups }: LockedPackage) => groups?.every(({ kind }) => !kinds.has(kind)) !== true
  const others = lock.packages.filter(
    (lockedPackage) => !lockedPackage.isProject && !isRequired(lockedPackage) && isWanted(lockedPackage),
  )
  if (others.length === 0) return []
  const everything = reachedAnywhere(lock, lock.roots)
  return others.filter((other) => !everything.has(other))
}

/**
 * Completes a walk from the roots. Poetry 2 judges each entry by its own groups and conditions, so entries that no
 * dependency leads to in this environment become roots.
 */
function addEntries(
  lock: PythonLock,
  walk: LockWalk,
  options: WalkOptions & { readonly kinds: ReadonlySet<DependencyKind> },
): LockWalk {
  const environment = { ...options.environment, hasAnyExtra: true } as const
  const skipped = lock.packages.flatMap((lockedPackage) => {
    if (lockedPackage.groups === undefined || walk.reached.has(lockedPackage)) return []
    const group = lockedPackage.groups.find(
      ({ kind, marker }) => options.kinds.has(kind) && applies({ marker }, environment, []),
    )
    return group === undefined ? [] : [toDirect(lockedPackage, group.kind)]
  })
  return skipped.length === 0 ? walk : walkLock(lock, { ...options, roots: [...options.roots, ...skipped] })
}

/** Returns the packages through which all strays are reached: first those that no other stray requires. */
function leadersOf(lock: PythonLock, strays: readonly LockedPackage[]): LockedPackage[] {
  if (strays.length === 0) return []
  const required = new Set(
    strays.flatMap(({ name, dependencies }) =>
      dependencies.map((dependency) => dependency.name).filter((dependencyName) => dependencyName !== name),
    ),
  )
  const leaders = strays.filter(({ name }) => !required.has(name))
  const reached = reachedAnywhere(
    lock,
    leaders.map((leader) => toDirect(leader, 'prod')),
  )
  return [...leaders, ...strays.filter((stray) => !reached.has(stray))]
}

function describeStrays(strays: readonly LockedPackage[]): string {
  const labels = strays.map(({ name, version }) => `${name}@${version ?? ''}`)
  const many = labels.length === 1 ? '1 package' : `${labels.length} packages`
  const shown = `${labels.slice(0, 5).join(', ')}${labels.length > 5 ? ', …' : ''}`
  return `${many} of the lockfile required by nothing, tested all the same: ${shown}`
}

/** Adds the packages that the entry's files name, and reports the contradiction. */
function addOthers(
  locked: LockedPackage,
  others: readonly NamedPackage[],
  { lock, walk }: { lock: PythonLock; walk: LockWalk },
): Unresolved[] {
  const nodes = walk.graph.nodes as GraphNode[]
  const at = walk.reached.get(locked)!
  return others.map(({ name, version, file }) => {
    const other = nodes.length
    nodes.push({ package: { name, version }, edges: [...nodes[at]!.edges] })
    for (const { edges } of nodes.slice(0, other)) {
      for (const edge of edges.filter(({ to }) => to === at)) edges.push({ ...edge, to: other })
    }
    const reason = `${lock.name} says ${locked.name}@${locked.version}, but its file ${shorten(file)} is ${name}@${version}, so both are tested. Delete the entry and run ${lock.update} to write it again`
    return { name, range: version, code: 'lockfile-contradiction', reason, requiredBy: lock.name }
  })
}

function reportsOf(lock: PythonLock, walk: LockWalk): Unresolved[] {
  const elsewhere: Unresolved[] = []
  for (const lockedPackage of walk.reached.keys()) {
    if (!isFromRegistry(lockedPackage)) elsewhere.push(...toElsewhere(lockedPackage, lock))
  }
  const isOther = ({ dependency }: Demand) => dependency.name !== lock.project
  const missing = walk.missing.filter(isOther).map((demand) => {
    const reason = `${lock.name} has no entry for it; run ${lock.update} to bring the two together`
    return toReport(demand, { lock, reason })
  })
  const forOthers = walk.forOthers.map((demand) => {
    const reason = `${lock.name} has it for other environments only; run ${lock.update} to bring the two together`
    return toReport(demand, { lock, reason })
  })
  const unmet = walk.unmet.map((demand) => {
    const reason = `${lock.name} holds ${demand.locked.version}, which the requirement does not allow; run ${lock.update} to bring them together`
    return toReport(demand, { lock, reason })
  })
  const byText = new Map(
    [...elsewhere, ...missing, ...forOthers, ...unmet].map((unresolved) => [
      `${unresolved.name}\n${unresolved.reason}`,
      unresolved,
    ]),
  )
  return [...byText.values()]
}

function toReport(
  { dependency: { name, range, version = range }, from }: Demand,
  { lock, reason }: { lock: PythonLock; reason: string },
): Unresolved {
  const requiredBy = from === undefined ? lock.manifest : `${from.name}@${from.version ?? ''}`
  return { name: shorten(name), range: shorten(version), code: 'not-in-lockfile', reason, requiredBy }
}

/** Returns true for a package that a registry published, with a version that is one. */
function isFromRegistry({ version, elsewhere }: LockedPackage): boolean {
  return version !== undefined && elsewhere === undefined && parsePythonVersion(version) !== undefined
}

/** Reports a package that no registry published, or whose version is none; it is still matched by name and version. */
function toElsewhere({ name, version, elsewhere, isLocal }: LockedPackage, lock: PythonLock): Unresolved[] {
  const entry = { name: shorten(name), range: shorten(version ?? ''), requiredBy: lock.name }
  const source = elsewhere === undefined ? '' : shorten(withoutCredentials(elsewhere))
  if (version === undefined && isLocal) return []
  if (version === undefined) {
    const from = elsewhere === undefined ? '' : `It comes from ${source}, and `
    const reason = `${from}${lock.name} gives no version, so no advisory can be matched`
    return [{ ...entry, code: elsewhere === undefined ? 'version-unknown' : 'not-from-registry', reason }]
  }
  if (parsePythonVersion(version) === undefined) {
    const reason = `"${shorten(version)}" is not a PEP 440 version, so no advisory can be matched`
    return [{ ...entry, code: 'version-unknown', reason }]
  }
  if (elsewhere === undefined) return []
  const reason = `It comes from ${source}: advisories for ${shorten(name)}@${version} in the registry may or may not apply to it`
  return [{ ...entry, code: 'not-from-registry', reason }]
}
