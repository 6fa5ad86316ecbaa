import type { GraphNode, Unresolved } from '#analysis/dependency-graph.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import { npmVersions } from '#analysis/versions/npm.ts'
import type { Dependency } from '../dependency.ts'
import { type OverrideRule, overriddenPackages } from '../overrides.ts'
import { findSharedArchives, type LockedArchive } from '../shared-archives.ts'
import { parseSpec, type Spec } from '../spec.ts'
import { createSearch, type Lock, type Locked, type LockNode } from './lock-tree.ts'
import { lockedAt } from './locked-package.ts'
import { findOlderTree } from './older-tree.ts'
import { behindLink, lockedDependencies } from './package-lock.ts'
import { findStaleOverrides } from './stale-overrides.ts'

/** The project itself or a workspace member. */
export interface Importer {
  /** The label in `requiredBy`. */
  readonly label: string
  /** Undefined if the lockfile does not contain this member. */
  readonly place: LockNode | undefined
  readonly dependencies: readonly Dependency[]
}

export interface LockedProject {
  readonly name: string
  readonly version: string
  readonly importers: readonly Importer[]
  /** True for some members of a workspace: others require the rest of the lock. */
  readonly isPart: boolean
  readonly overrides: OverrideRule | undefined
  /** True if the package.json was sent, which alone has the overrides. */
  readonly hasManifest: boolean
  /** True if the files do not list direct dependencies: then every other locked package counts as one. */
  readonly isDirectUnknown: boolean
}

type LockedReading = Pick<Reading, 'graph' | 'unresolved' | 'excluded' | 'boundsMet'>

interface Walk {
  readonly lock: Lock
  readonly project: LockedProject
  readonly options: ReadOptions
  /** The override of each package; undefined if it depends on the dependent. */
  readonly overridden: ReadonlyMap<string, string | undefined>
  readonly search: (from: LockNode, name: string) => LockNode | undefined
  readonly nodes: GraphNode[]
  /** Node index of each place; 0 for every importer. */
  readonly indexes: Map<LockNode, number>
  readonly queue: LockNode[]
  readonly unresolved: Unresolved[]
  readonly foreign: Set<LockNode>
}

/**
 * Builds the graph of a lockfile with one node per reached place in the tree, so that copies of one version with
 * different dependencies stay separate.
 *
 * A locked version outside the project's own range is kept, since npm installs it, and reported. Ranges between locked
 * packages are trusted. Absent optional peers are fine; any other absence is reported, also that of an optional
 * dependency: npm locks those of all platforms.
 */
export function graphOfLock(lock: Lock, project: LockedProject, options: ReadOptions): LockedReading {
  const walk = startWalk(lock, project, options)
  const left: [Importer, Dependency][] = []
  for (const importer of project.importers) {
    for (const dependency of importer.dependencies) {
      if (dependency.kind === 'dev' && !options.includeDev) left.push([importer, dependency])
      else followOfProject(walk, importer, dependency)
    }
  }
  drain(walk)
  if (project.isDirectUnknown) followTheRest(walk)
  const dev = countOnlyDev(walk, left)
  return {
    graph: { nodes: walk.nodes },
    unresolved: [
      ...walk.unresolved,
      ...findSharedArchives(archivesOf(walk), 'package-lock.json'),
      ...findOlderTree(lock),
      ...findStale(walk),
    ],
    excluded: dev.packages === 0 ? [] : [{ reason: 'dev', packages: dev.packages }],
    boundsMet: project.isPart ? [] : reportStrays(walk, dev.places),
  }
}

/** Without a package.json, the overrides are not known. */
function findStale(walk: Walk): Unresolved[] {
  const { lock, project } = walk
  if (!project.hasManifest) return []
  return findStaleOverrides({ ...project, lock, findTarget: (from, name) => targetOf(walk, from, name) })
}

function startWalk(lock: Lock, project: LockedProject, options: ReadOptions): Walk {
  const indexes = new Map<LockNode, number>([[lock.tree.root, 0]])
  for (const { place } of project.importers) if (place !== undefined) indexes.set(place, 0)
  return {
    lock,
    project,
    options,
    overridden: project.overrides === undefined ? new Map() : overriddenPackages(project.overrides),
    search: createSearch(lock.file),
    nodes: [{ package: { name: project.name, version: project.version }, edges: [] }],
    indexes,
    queue: [],
    unresolved: [],
    foreign: new Set(),
  }
}

function followOfProject(walk: Walk, importer: Importer, dependency: Dependency): void {
  const { place } = importer
  const target = place === undefined ? undefined : targetOf(walk, place, dependency.name)
  if (place === undefined || target === undefined) {
    const isFine = dependency.kind === 'peer' && (dependency.mayBeAbsent || walk.lock.lockfileVersion < 2)
    if (isFine && place !== undefined) return
    const reason =
      place === undefined
        ? `The lockfile has no workspace member ${importer.label}`
        : 'The lockfile has no entry for it; run npm install to bring the two files together'
    report(walk, { dependency, requiredBy: importer.label, code: 'not-in-lockfile', reason })
    return
  }
  if (walk.indexes.get(target) === 0) return
  const locked = lockedAt(walk.lock, target)
  const isPeer = dependency.kind === 'peer'
  const misfit = isPeer || locked.doubt !== undefined ? undefined : misfitOf(walk, dependency, locked)
  if (misfit !== undefined) {
    report(walk, { dependency, requiredBy: importer.label, code: 'not-in-lockfile', reason: misfit })
  }
  connect(walk, { from: 0, dependency, target, locked, requiredBy: importer.label })
}

function drain(walk: Walk): void {
  for (let place = walk.queue.pop(); place !== undefined; place = walk.queue.pop()) {
    const from = walk.indexes.get(place)!
    for (const dependency of lockedDependencies(walk.lock, place)) {
      const target = targetOf(walk, place, dependency.name)
      if (target === undefined) {
        if (dependency.mayBeAbsent && dependency.kind !== 'optional') continue
        const reason = `The lockfile has no entry that ${dependency.kind === 'peer' ? 'this peer dependency' : 'it'} leads to`
        report(walk, { dependency, requiredBy: labelOf(walk, from), code: 'not-in-lockfile', reason })
      } else if (walk.indexes.get(target) !== 0) {
        const locked = lockedAt(walk.lock, target)
        connect(walk, { from, dependency, target, locked, requiredBy: labelOf(walk, from) })
      }
    }
  }
}

/** Adds an edge from the project to every unreached top-level entry. */
function followTheRest(walk: Walk): void {
  for (const place of walk.lock.tree.root.children?.values() ?? []) {
    if (place.entry === undefined || walk.indexes.has(place)) continue
    if (place.entry['dev'] === true && !walk.options.includeDev) continue
    const locked = lockedAt(walk.lock, place)
    const dependency = { name: place.name, range: locked.version ?? '*', kind: 'prod', mayBeAbsent: false } as const
    connect(walk, { from: 0, dependency, target: place, locked, requiredBy: labelOf(walk, 0) })
    drain(walk)
  }
}

function* archivesOf({ lock, indexes, nodes }: Walk): Generator<LockedArchive> {
  for (const [place, index] of indexes) {
    const integrity = index === 0 ? undefined : lockedAt(lock, place).integrity
    if (integrity !== undefined) yield { package: nodes[index]!.package, integrity }
  }
}

interface Connection {
  readonly from: number
  readonly dependency: Dependency
  readonly target: LockNode
  readonly locked: Locked
  readonly requiredBy: string
}

function connect(walk: Walk, { from, dependency, target, locked, requiredBy }: Connection): void {
  const spec = parseSpec(dependency.name, dependency.range)
  const { name, version, license } = locked
  if (version === undefined) {
    const reason = 'The entry in the lockfile has no version'
    report(walk, { dependency, requiredBy, code: 'not-in-lockfile', reason })
    return
  }
  reportForeign(walk, { from, dependency, target, locked, requiredBy }, spec)
  let to = walk.indexes.get(target)
  if (to === undefined) {
    to = walk.nodes.length
    const { maxNodes } = walk.options.limits
    if (to > maxNodes) {
      const message = `The lockfile has more than ${maxNodes} packages, the limit`
      throw new Unreadable(message, { file: walk.lock.file })
    }
    walk.nodes.push({
      package: { name, version },
      edges: [],
      ...(target.isFolder && { isProject: true }),
      ...(license === undefined ? {} : { license }),
    })
    walk.indexes.set(target, to)
    walk.queue.push(target)
  }
  walk.nodes[from]!.edges.push({
    to,
    range: effectiveRange(walk, dependency, { spec, version }),
    kind: dependency.kind,
  })
}

/**
 * Returns the range for upgrades: the declared range, without the name of an alias. With an override its value, or the
 * locked version if the applicable rule depends on the dependent.
 */
function effectiveRange(walk: Walk, { name, range }: Dependency, locked: { spec: Spec; version: string }): string {
  if (walk.overridden.has(name)) return walk.overridden.get(name) ?? locked.version
  return locked.spec.elsewhere === undefined ? locked.spec.selector : withoutCredentials(range)
}

/** Returns the reason for which the locked version does not match the project's request. */
function misfitOf(walk: Walk, dependency: Dependency, locked: Locked): string | undefined {
  const spec = parseSpec(dependency.name, dependency.range)
  if (spec.elsewhere !== undefined || locked.version === undefined || walk.overridden.has(dependency.name))
    return undefined
  if (spec.name !== locked.name) return `The lockfile holds ${locked.name} in its place`
  if (!npmVersions.isValid(locked.version) || !npmVersions.isRange(spec.selector)) return undefined
  if (npmVersions.satisfies(locked.version, spec.selector)) return undefined
  return `The lockfile holds ${locked.version}, which the range does not allow; run npm install to bring the two files together`
}

/**
 * Reports a package that no registry published or that the lockfile contradicts; it is still matched by name and
 * version.
 */
function reportForeign(walk: Walk, { dependency, target, locked, requiredBy }: Connection, spec: Spec): void {
  if (walk.foreign.has(target)) return
  const fault = doubtOf(locked, spec) ?? foreignOf(locked, spec)
  if (fault === undefined) return
  walk.foreign.add(target)
  report(walk, { dependency, requiredBy, code: fault.code, reason: fault.reason })
}

function doubtOf({ name, doubt }: Locked, spec: Spec): Pick<Report, 'code' | 'reason'> | undefined {
  // A project may choose any name for a package from its own address.
  const isForeign = spec.elsewhere !== undefined
  if (isForeign && doubt?.code === 'not-from-registry') return undefined
  return doubt?.isAboutName === true && (isForeign || spec.name === name) ? undefined : doubt
}

function foreignOf({ name, version, elsewhere }: Locked, spec: Spec): Pick<Report, 'code' | 'reason'> | undefined {
  const source = spec.elsewhere ?? (elsewhere === undefined ? undefined : sourceName(elsewhere))
  if (source === undefined) return undefined
  const reason = npmVersions.isValid(version ?? '')
    ? `It comes from ${source}: advisories for ${name}@${version} in the registry may or may not apply to it`
    : `It comes from ${source} and the lockfile does not give its version, so no advisory can be matched`
  return { code: 'not-from-registry', reason }
}

function sourceName(source: string): string {
  return parseSpec('', source).elsewhere ?? 'elsewhere'
}

function targetOf(walk: Walk, from: LockNode, name: string): LockNode | undefined {
  const match = walk.search(from, name)
  return match === undefined ? undefined : behindLink(walk.lock, match)
}

interface Report {
  readonly dependency: Dependency
  readonly requiredBy: string
  readonly code: Unresolved['code']
  readonly reason: string
}

function report(walk: Walk, { dependency, requiredBy, code, reason }: Report): void {
  walk.unresolved.push({ name: dependency.name, range: withoutCredentials(dependency.range), code, reason, requiredBy })
}

function labelOf(walk: Walk, index: number): string {
  const { name, version } = walk.nodes[index]!.package
  return index === 0 ? (walk.project.importers[0]?.label ?? 'package.json') : `${name}@${version}`
}

/** Counts distinct packages reached only from excluded dependencies, and returns their places. */
function countOnlyDev(
  walk: Walk,
  left: readonly [Importer, Dependency][],
): { packages: number; places: Set<LockNode> } {
  const places = new Set<LockNode>()
  const add = (from: LockNode, name: string) => {
    const target = targetOf(walk, from, name)
    if (target !== undefined && !walk.indexes.has(target)) places.add(target)
  }
  for (const [{ place }, { name }] of left) if (place !== undefined) add(place, name)
  if (walk.project.isDirectUnknown && !walk.options.includeDev) {
    for (const place of walk.lock.tree.root.children?.values() ?? []) {
      if (place.entry?.['dev'] === true && !walk.indexes.has(place)) places.add(place)
    }
  }
  for (const place of places) {
    for (const { name } of lockedDependencies(walk.lock, place)) add(place, name)
  }
  if (places.size === 0) return { packages: 0, places }
  const needed = labelsOfNodes(walk)
  const others = new Set<string>()
  for (const place of places) {
    const label = labelOfPlace(walk, place)
    if (!needed.has(label)) others.add(label)
  }
  return { packages: others.size, places }
}

/** Reports unused packages of the lockfile without another copy: npm removes them, so they are not in the graph. */
function reportStrays(walk: Walk, dev: ReadonlySet<LockNode>): string[] {
  const places = walk.lock.tree.withEntry.filter(
    (place) =>
      !walk.indexes.has(place) &&
      !dev.has(place) &&
      !place.isFolder &&
      lockedAt(walk.lock, place).version !== undefined,
  )
  if (places.length === 0) return []
  const labels = labelsOfNodes(walk)
  for (const place of dev) labels.add(labelOfPlace(walk, place))
  const strays = [...new Set(places.map((place) => labelOfPlace(walk, place)))].filter((label) => !labels.has(label))
  if (strays.length === 0) return []
  const first = strays.slice(0, 5).map(shorten).join(', ')
  const many = strays.length === 1 ? '1 package of the lockfile is' : `${strays.length} packages of the lockfile are`
  return [`${many} required by nothing and left out: ${first}${strays.length > 5 ? ', …' : ''}`]
}

function labelsOfNodes({ nodes }: Walk): Set<string> {
  return new Set(nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`))
}

function labelOfPlace({ lock }: Walk, place: LockNode): string {
  const { name, version } = lockedAt(lock, place)
  return `${name}@${version ?? '?'}`
}
