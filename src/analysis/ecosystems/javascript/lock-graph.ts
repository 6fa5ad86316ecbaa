import type { GraphNode, Unresolved } from '#analysis/dependency-graph.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import { npmVersions } from '#analysis/versions/npm.ts'
import { isVersion } from './archive-address.ts'
import { type Dependency, toBundledProblem } from './dependency.ts'
import type { EntryLock, Found, LockEntry } from './entry-lock.ts'
import type { Importer, LockedProject } from './locked-project.ts'
import { addPeerEdges, type Followed } from './peers.ts'
import { findSharedArchives, type LockedArchive } from './shared-archives.ts'
import { LOCAL_PATH, parseSpec } from './spec.ts'

type LockedReading = Pick<Reading, 'graph' | 'unresolved' | 'excluded' | 'boundsMet'>

interface Walk {
  readonly lock: EntryLock
  readonly project: LockedProject
  readonly options: ReadOptions
  readonly nodes: GraphNode[]
  /** Empty if no package has peers. */
  readonly followed: Followed[]
  /** The entries by their names, once some were asked for. */
  byName: ReadonlyMap<string, readonly LockEntry[]> | undefined
  readonly indexes: Map<LockEntry, number>
  /** Copies of workspaces that were reached. */
  readonly copies: Set<LockEntry>
  readonly queue: LockEntry[]
  readonly unresolved: Unresolved[]
  readonly boundsMet: Set<string>
}

/**
 * Builds the graph of a lockfile with one node per reached entry. package.json lists the project's dependencies, and
 * the lock needs an entry for each range. Any absence is reported, except that of optional peers. Peers
 * are edges if a dependent brings them.
 */
export function graphOfLock(lock: EntryLock, project: LockedProject, options: ReadOptions): LockedReading {
  const walk = startWalk(lock, project, options)
  const left: [Importer, Dependency][] = []
  for (const importer of project.importers) {
    for (const dependency of importer.dependencies) {
      if (dependency.kind === 'dev' && !options.includeDev) left.push([importer, dependency])
      else followOfProject(walk, importer, dependency)
    }
  }
  for (const entry of project.alsoDirect) connect(walk, { from: 0, dependency: directTo(entry), entry, range: '*' })
  drain(walk)
  const dev = onlyForDev(walk, left)
  if (!project.isPart) takeInStrays(walk, dev.entries)
  const isWhole = addPeerEdges(walk.nodes, walk.followed)
  if (!isWhole) walk.boundsMet.add('There are too many ways in which peer dependencies are met; not all are followed')
  return {
    graph: { nodes: walk.nodes },
    unresolved: [...walk.unresolved, ...findSharedArchives(archivesOf(walk), lock.fileName)],
    excluded: dev.packages === 0 ? [] : [{ reason: 'dev', packages: dev.packages }],
    boundsMet: [...walk.boundsMet],
  }
}

function startWalk(lock: EntryLock, project: LockedProject, options: ReadOptions): Walk {
  const indexes = new Map<LockEntry, number>()
  for (const entry of lock.entries) if (entry.workspace !== undefined) indexes.set(entry, 0)
  return {
    lock,
    project,
    options,
    nodes: [{ package: { name: project.name, version: project.version }, edges: [] }],
    followed: lock.entries.some(({ peers }) => peers.length > 0) ? [{ name: '', peers: [], links: [] }] : [],
    byName: undefined,
    indexes,
    copies: new Set(),
    queue: [],
    unresolved: [],
    boundsMet: new Set(),
  }
}

function followOfProject(walk: Walk, importer: Importer, dependency: Dependency): void {
  const { lock, project } = walk
  const match = project.find(importer.entry, dependency)
  if (match.entries.length > 0) follow(walk, { from: 0, dependency, match })
  if (match.writtenFor !== undefined) {
    const reason = `${lock.fileName} was written for "${shorten(withoutCredentials(match.writtenFor))}"; what it holds is tested. Run ${lock.tool} install to bring the two files together`
    report(walk, { dependency, requiredBy: importer.label, code: 'not-in-lockfile', reason })
  }
  if (match.entries.length > 0 || project.memberNames.has(dependency.name)) return
  if (dependency.range.startsWith('link:')) {
    const reason = `It comes from a local path and is not in ${lock.fileName}, so no advisory can be matched`
    report(walk, { dependency, requiredBy: importer.label, code: 'not-from-registry', reason })
    return
  }
  const nearest = nearestEntry(walk, dependency)
  const about = nearest === undefined ? '' : `; what it holds, ${nearest.name}@${nearest.version}, is tested`
  const reason = `${lock.fileName} has no entry for this range${about}. Run ${lock.tool} install to bring the two files together`
  report(walk, { dependency, requiredBy: importer.label, code: 'not-in-lockfile', reason })
  if (nearest !== undefined) connect(walk, { from: 0, dependency, entry: nearest, range: match.range })
}

/** Returns the version most likely installed: the newest in range, or the only one. */
function nearestEntry(walk: Walk, { name, range }: Dependency): LockEntry | undefined {
  walk.byName ??= Map.groupBy(walk.lock.entries, (entry) => entry.name)
  const same = (walk.byName.get(name) ?? []).filter(({ version }) => npmVersions.isValid(version ?? ''))
  const fitting = same.filter(({ version }) => npmVersions.satisfies(version!, range))
  const newest = fitting.toSorted((a, b) => npmVersions.compare(a.version!, b.version!)).at(-1)
  return newest ?? (same.length === 1 ? same[0] : undefined)
}

function drain(walk: Walk): void {
  for (let entry = walk.queue.pop(); entry !== undefined; entry = walk.queue.pop()) {
    const from = walk.indexes.get(entry)!
    for (const dependency of entry.dependencies) {
      if (dependency.isBundled) {
        walk.unresolved.push(toBundledProblem(dependency, labelOf(walk, from)))
        continue
      }
      const match = walk.project.find(entry, dependency)
      if (match.entries.length > 0) follow(walk, { from, dependency, match })
      else if (!mayLack(dependency) && !walk.project.memberNames.has(dependency.name)) {
        const reason = `${walk.lock.fileName} has no entry that it leads to`
        report(walk, { dependency, requiredBy: labelOf(walk, from), code: 'not-in-lockfile', reason })
      }
    }
  }
}

/** Returns true for optional peers. Locks have the optional dependencies of all platforms. */
function mayLack({ mayBeAbsent, kind }: Dependency): boolean {
  return mayBeAbsent && kind !== 'optional'
}

function follow(walk: Walk, { from, dependency, match }: { from: number; dependency: Dependency; match: Found }): void {
  if (match.entries.length > 1) {
    walk.boundsMet.add(
      `${dependency.name}: what "${dependency.range}" means is not in ${walk.lock.fileName}; each version that it locks is tested`,
    )
  }
  if (match.isBundled) walk.unresolved.push(toBundledProblem(dependency, labelOf(walk, from)))
  for (const entry of match.entries) {
    reportOther(walk, { from, dependency, match, entry })
    reportUnfit(walk, { from, dependency, entry, range: match.range })
    if (walk.indexes.get(entry) !== 0) connect(walk, { from, dependency, entry, range: match.range })
    else if (entry.isCopy && !walk.copies.has(entry)) {
      walk.copies.add(entry)
      walk.queue.push(entry)
    }
  }
}

/** Reports an entry of another package than the declared one. */
function reportOther(
  walk: Walk,
  { from, dependency, match, entry }: { from: number; dependency: Dependency; match: Found; entry: LockEntry },
): void {
  const { name, elsewhere, doubt, workspace } = entry
  const isAgreed = match.declaredName === undefined || match.declaredName === name
  if (isAgreed || elsewhere !== undefined || doubt !== undefined || workspace !== undefined) return
  const { fileName, tool } = walk.lock
  const reason = `${fileName} leads to ${shorten(name)}, which ${tool} installs and which is tested, for a range of ${shorten(match.declaredName!)}. Delete the entry and run ${tool} install to write it again`
  report(walk, { dependency, requiredBy: labelOf(walk, from), code: 'lockfile-contradiction', reason })
}

/** An entry that Yarn 1 passes over (its PackageResolver, "incorrect entry"): what is installed is not in the lock. */
function reportUnfit(walk: Walk, { from, dependency, entry: { version, doubt }, range }: Connection): void {
  if (!walk.lock.passesOverUnfit || doubt !== undefined || version === undefined || !isVersion(version)) return
  if (!npmVersions.isRange(range) || npmVersions.satisfies(version, range)) return
  const mend =
    walk.project.label === 'yarn.lock'
      ? ', unless package.json has a resolution for it. Send package.json too'
      : '. Run yarn install to lock it'
  const reason = `yarn.lock holds ${version} for a range that it does not fit, so that Yarn installs what the range allows today${mend}`
  report(walk, { dependency, requiredBy: labelOf(walk, from), code: 'not-in-lockfile', reason })
}

interface Connection {
  readonly from: number
  readonly dependency: Dependency
  readonly entry: LockEntry
  readonly range: string
}

function connect(walk: Walk, { from, dependency, entry, range }: Connection): void {
  let to = walk.indexes.get(entry)
  if (to === undefined) {
    to = walk.nodes.length
    if (to > walk.options.limits.maxNodes) {
      const message = `The lockfile has more than ${walk.options.limits.maxNodes} packages, the limit`
      throw new Unreadable(message, { file: walk.lock.file })
    }
    const version = entry.version ?? entry.source ?? '?'
    const isProject = entry.elsewhere === LOCAL_PATH
    walk.nodes.push({ package: { name: entry.name, version }, edges: [], ...(isProject && { isProject }) })
    if (walk.followed.length > 0) walk.followed.push({ name: entry.name, peers: entry.peers, links: [] })
    walk.indexes.set(entry, to)
    walk.queue.push(entry)
    reportForeign(walk, { from, dependency, entry })
  }
  walk.followed[from]?.links.push({ name: dependency.name, to })
  const spec = parseSpec(dependency.name, range)
  const shown = spec.elsewhere === undefined ? spec.selector : withoutCredentials(range)
  walk.nodes[from]!.edges.push({ to, range: shown, kind: dependency.kind })
}

/**
 * Reports a package that no registry published or that the lockfile contradicts; it is still matched by name and
 * version.
 */
function reportForeign(
  walk: Walk,
  { from, dependency, entry }: { from: number; dependency: Dependency; entry: LockEntry },
): void {
  const { name, version, elsewhere, doubt } = entry
  const isKnown = version !== undefined && isVersion(version)
  // A project may choose any name for a package from its own address.
  const isExplained = elsewhere !== undefined && (doubt?.code === 'not-from-registry' || doubt?.isAboutName === true)
  if (doubt === undefined && elsewhere === undefined && isKnown) return
  const requiredBy = labelOf(walk, from)
  if (doubt !== undefined && !isExplained) {
    report(walk, { dependency, requiredBy, code: doubt.code, reason: doubt.reason })
    return
  }
  const origin = `It comes from ${elsewhere ?? 'the registry'}`
  const reason = isKnown
    ? `${origin}: advisories for ${name}@${version} in the registry may or may not apply to it`
    : `${origin} and the lockfile does not give its version, so no advisory can be matched`
  const code = elsewhere === undefined ? 'not-in-lockfile' : 'not-from-registry'
  report(walk, { dependency, requiredBy, code, reason })
}

function* archivesOf({ indexes, nodes }: Walk): Generator<LockedArchive> {
  for (const [{ integrity }, index] of indexes) {
    if (index !== 0 && integrity !== undefined) yield { package: nodes[index]!.package, integrity }
  }
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
  return index === 0 ? walk.project.label : `${name}@${version}`
}

/** Returns entries reached only from excluded dependencies. */
function onlyForDev(walk: Walk, left: readonly [Importer, Dependency][]) {
  const { project, indexes } = walk
  const entries = new Set<LockEntry>()
  const add = (from: LockEntry | undefined, dependency: Dependency) => {
    for (const entry of project.find(from, dependency).entries) {
      if (!indexes.has(entry)) entries.add(entry)
    }
  }
  for (const [{ entry }, dependency] of left) add(entry, dependency)
  for (const entry of entries) for (const dependency of entry.dependencies) add(entry, dependency)
  if (entries.size === 0) return { entries, packages: 0 }
  const needed = new Set(walk.nodes.map(labelOfNode))
  const labels = [...entries].map(labelOfEntry).filter((label) => !needed.has(label))
  return { entries, packages: new Set(labels).size }
}

/**
 * Handles unreached entries. The tools keep only needed ones, so the files do not show their dependents: workspaces
 * without a sent package.json, or extensions in .yarnrc.yml. They are tested; if all dependents were sent, they are
 * dropped and reported.
 */
function takeInStrays(walk: Walk, dev: ReadonlySet<LockEntry>): void {
  const unreached = walk.lock.entries.filter((entry) => !walk.indexes.has(entry))
  if (unreached.length === 0) return
  const labels = new Set(walk.nodes.map(labelOfNode))
  for (const entry of dev) labels.add(labelOfEntry(entry))
  // The lock lists a patched package beside its original.
  const strays = unreached.filter((entry) => !labels.has(labelOfEntry(entry)))
  if (strays.length === 0) return
  const required = new Set<LockEntry>()
  for (const stray of strays) {
    for (const dependency of stray.dependencies) {
      for (const entry of walk.project.find(stray, dependency).entries) {
        if (entry !== stray) required.add(entry)
      }
    }
  }
  const tops = strays.filter((entry) => !required.has(entry))
  const names = [...new Set(strays.map(labelOfEntry))]
  const many = names.length === 1 ? '1 package' : `${names.length} packages`
  const shown = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`
  if (!walk.project.mayHaveOtherDependents) {
    walk.boundsMet.add(`${many} of ${walk.lock.fileName} required by nothing, left out: ${shown}`)
    return
  }
  walk.boundsMet.add(
    `${many} of ${walk.lock.fileName} required by no file that was sent, tested all the same: ${shown}`,
  )
  for (const entry of [...tops, ...strays]) {
    if (walk.indexes.has(entry)) continue
    connect(walk, { from: 0, dependency: directTo(entry), entry, range: '*' })
    drain(walk)
  }
}

function labelOfNode({ package: { name, version } }: GraphNode): string {
  return `${name}@${version}`
}

function labelOfEntry({ name, version, source }: LockEntry): string {
  return `${name}@${version ?? source ?? '?'}`
}

function directTo({ name, version }: LockEntry): Dependency {
  return { name, range: version ?? '*', kind: 'prod', mayBeAbsent: false }
}
