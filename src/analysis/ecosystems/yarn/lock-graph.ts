import { npmVersions } from '#analysis/versions/npm.ts'
import type { GraphNode, Unresolved } from '../../dependency-graph.ts'
import { type Reading, type ReadOptions, Unreadable } from '../ecosystem.ts'
import { isVersion } from '../npm/archive-address.ts'
import type { Dependency } from '../npm/dependency.ts'
import { type LockedArchive, nameSharedArchives } from '../npm/shared-archives.ts'
import { parseSpec, withoutCredentials } from '../npm/spec.ts'
import type { Importer, LockedProject } from './locked-project.ts'
import { addPeerEdges, type Followed } from './peers.ts'
import type { Found, LockEntry, YarnLock } from './yarn-lock.ts'

type LockedReading = Pick<Reading, 'graph' | 'unresolved' | 'excluded' | 'boundsMet'>

interface Walk {
  readonly lock: YarnLock
  readonly project: LockedProject
  readonly options: ReadOptions
  readonly nodes: GraphNode[]
  readonly followed: Followed[]
  readonly byName: ReadonlyMap<string, readonly LockEntry[]>
  readonly indexes: Map<LockEntry, number>
  readonly queue: LockEntry[]
  readonly unresolved: Unresolved[]
  readonly boundsMet: Set<string>
}

/**
 * The graph of what a yarn.lock locks, one node for each of its entries that the project reaches. As in Yarn, what the
 * project asks for stands in package.json, where the lock has to have an entry for each range. An absent optional
 * dependency is fine, any other absence is named. Peers are edges where a dependent brings the peer.
 */
export function graphOfLock(lock: YarnLock, project: LockedProject, options: ReadOptions): LockedReading {
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
  takeInStrays(walk, dev.entries)
  const isWhole = addPeerEdges(walk.nodes, walk.followed)
  if (!isWhole) walk.boundsMet.add('There are too many ways in which peer dependencies are met; not all are followed')
  return {
    graph: { nodes: walk.nodes },
    unresolved: [...walk.unresolved, ...nameSharedArchives(archivesOf(walk), 'yarn.lock')],
    excluded: dev.packages === 0 ? [] : [{ reason: 'dev', packages: dev.packages }],
    boundsMet: [...walk.boundsMet],
  }
}

function startWalk(lock: YarnLock, project: LockedProject, options: ReadOptions): Walk {
  const indexes = new Map<LockEntry, number>()
  for (const entry of lock.entries) if (entry.workspace !== undefined) indexes.set(entry, 0)
  return {
    lock,
    project,
    options,
    nodes: [{ package: { name: project.name, version: project.version }, edges: [] }],
    followed: [{ name: '', peers: [], byName: new Map() }],
    byName: Map.groupBy(lock.entries, ({ name }) => name),
    indexes,
    queue: [],
    unresolved: [],
    boundsMet: new Set(),
  }
}

function followOfProject(walk: Walk, importer: Importer, dependency: Dependency): void {
  const { lock, project } = walk
  const found = lock.find(importer.entry, dependency, project.resolutions)
  if (found.entries.length > 0) follow(walk, { from: 0, dependency, found })
  if (found.entries.length > 0 || project.memberNames.has(dependency.name)) return
  if (dependency.range.startsWith('link:')) {
    const reason = 'It comes from a local path and is not in yarn.lock, so no advisory can be matched'
    report(walk, { dependency, requiredBy: importer.label, code: 'not-from-registry', reason })
    return
  }
  const nearest = nearestEntry(walk, dependency)
  const about = nearest === undefined ? '' : `; what it holds, ${nearest.name}@${nearest.version}, is tested`
  const reason = `yarn.lock has no entry for this range${about}. Run yarn install to bring the two files together`
  report(walk, { dependency, requiredBy: importer.label, code: 'not-in-lockfile', reason })
  if (nearest !== undefined) follow(walk, { from: 0, dependency, found: { entries: [nearest], range: found.range } })
}

/** What is most likely installed now: the newest that the range allows, or the only one there is. */
function nearestEntry({ byName }: Walk, { name, range }: Dependency): LockEntry | undefined {
  const same = (byName.get(name) ?? []).filter(({ version }) => npmVersions.isValid(version ?? ''))
  const fitting = same.filter(({ version }) => npmVersions.satisfies(version!, range))
  const newest = fitting.toSorted((a, b) => npmVersions.compare(a.version!, b.version!)).at(-1)
  return newest ?? (same.length === 1 ? same[0] : undefined)
}

function drain(walk: Walk): void {
  for (let entry = walk.queue.pop(); entry !== undefined; entry = walk.queue.pop()) {
    const from = walk.indexes.get(entry)!
    for (const dependency of entry.dependencies) {
      const found = walk.lock.find(entry, dependency, walk.project.resolutions)
      if (found.entries.length > 0) follow(walk, { from, dependency, found })
      else if (!dependency.mayBeAbsent && !walk.project.memberNames.has(dependency.name)) {
        const reason = 'yarn.lock has no entry that it leads to'
        report(walk, { dependency, requiredBy: labelOf(walk, from), code: 'not-in-lockfile', reason })
      }
    }
  }
}

function follow(walk: Walk, { from, dependency, found }: { from: number; dependency: Dependency; found: Found }): void {
  if (found.entries.length > 1) {
    walk.boundsMet.add(
      `${dependency.name}: what "${dependency.range}" means is not in yarn.lock; each version that it locks is tested`,
    )
  }
  for (const entry of found.entries) {
    if (walk.indexes.get(entry) !== 0) connect(walk, { from, dependency, entry, range: found.range })
  }
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
      const message = `The lockfile has more than ${walk.options.limits.maxNodes} packages, the most that are read`
      throw new Unreadable(message, { file: walk.lock.file })
    }
    const version = entry.version ?? entry.source ?? '?'
    walk.nodes.push({ package: { name: entry.name, version }, edges: [] })
    walk.followed.push({ name: entry.name, peers: entry.peers, byName: new Map() })
    walk.indexes.set(entry, to)
    walk.queue.push(entry)
    nameForeign(walk, { dependency, entry, requiredBy: labelOf(walk, from) })
  }
  const { byName } = walk.followed[from]!
  byName.set(dependency.name, (byName.get(dependency.name) ?? new Set()).add(to))
  const spec = parseSpec(dependency.name, range)
  const shown = spec.elsewhere === undefined ? spec.wanted : withoutCredentials(range)
  walk.nodes[from]!.edges.push({ to, range: shown, kind: dependency.kind })
}

/**
 * A package that no registry published, or that the lockfile contradicts itself about, is matched by name and version
 * all the same, but the result must say so.
 */
function nameForeign(
  walk: Walk,
  { dependency, entry, requiredBy }: { dependency: Dependency; entry: LockEntry; requiredBy: string },
): void {
  const { name, version, elsewhere, doubt } = entry
  const isKnown = version !== undefined && isVersion(version)
  // The project chooses the name of what it takes from an address of its own.
  const isTold = elsewhere !== undefined && (doubt?.code === 'not-from-registry' || doubt?.isAboutName === true)
  if (doubt !== undefined && !isTold) {
    report(walk, { dependency, requiredBy, code: doubt.code, reason: doubt.reason })
    return
  }
  if (elsewhere === undefined && isKnown) return
  const from = `It comes from ${elsewhere ?? 'the registry'}`
  const reason = isKnown
    ? `${from}: advisories for ${name}@${version} in the registry may or may not apply to it`
    : `${from} and the lockfile does not tell its version, so no advisory can be matched`
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

/** What only the dependencies left out lead to. */
function onlyForDev(walk: Walk, left: readonly [Importer, Dependency][]) {
  const { lock, project, indexes } = walk
  const entries = new Set<LockEntry>()
  const add = (from: LockEntry | undefined, dependency: Dependency) => {
    for (const entry of lock.find(from, dependency, project.resolutions).entries) {
      if (!indexes.has(entry)) entries.add(entry)
    }
  }
  for (const [{ entry }, dependency] of left) add(entry, dependency)
  for (const entry of entries) for (const dependency of entry.dependencies) add(entry, dependency)
  const needed = new Set(walk.nodes.map(labelOfNode))
  const labels = [...entries].map(labelOfEntry).filter((label) => !needed.has(label))
  return { entries, packages: new Set(labels).size }
}

/**
 * Entries that nothing asks for. Yarn keeps only what is needed, so what is left is needed by something that the files
 * do not show: workspaces whose package.json was not sent, or extensions of packages in .yarnrc.yml. They are tested.
 * Where every asking file is there, they are left out and said.
 */
function takeInStrays(walk: Walk, dev: ReadonlySet<LockEntry>): void {
  const known = new Set(walk.nodes.map(labelOfNode))
  for (const entry of dev) known.add(labelOfEntry(entry))
  // A patched package stands in the lock beside the package that it patches.
  const strays = walk.lock.entries.filter((entry) => !walk.indexes.has(entry) && !known.has(labelOfEntry(entry)))
  if (strays.length === 0) return
  const asked = new Set<LockEntry>()
  for (const stray of strays) {
    for (const dependency of stray.dependencies) {
      for (const entry of walk.lock.find(stray, dependency, walk.project.resolutions).entries) {
        if (entry !== stray) asked.add(entry)
      }
    }
  }
  const tops = strays.filter((entry) => !asked.has(entry))
  const names = [...new Set(strays.map(labelOfEntry))]
  const many = names.length === 1 ? '1 package' : `${names.length} packages`
  const shown = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`
  if (!walk.project.mayHaveOtherDependents) {
    walk.boundsMet.add(`${many} of yarn.lock required by nothing, left out: ${shown}`)
    return
  }
  walk.boundsMet.add(`${many} of yarn.lock required by no file that was sent, tested all the same: ${shown}`)
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
