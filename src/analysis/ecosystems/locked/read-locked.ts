import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { GraphNode, Unresolved } from '../../dependency-graph.ts'
import type { Reading, ReadOptions } from '../ecosystem.ts'
import type { LockedPackage, LockedProject, Requirement } from './locked-project.ts'

interface Walk {
  readonly project: LockedProject
  readonly nodes: GraphNode[]
  /** Indexes of nodes, by key. Projects of the repository share the root. */
  readonly indexes: Map<string, number>
  readonly queue: string[]
  /** Nodes and range of each edge, since a project may have tens of thousands. */
  readonly edges: Set<string>
  readonly includeDev: boolean
  /** Requirements for development that were not followed. */
  readonly skipped: Requirement[]
  /** By name and reason, so that each is reported once. */
  readonly unresolved: Map<string, Unresolved>
}

/**
 * Builds the graph of a lockfile: every package that the project requires, without those that only development needs
 * unless `includeDev`. Packages that nothing requires are tested and named. Missing entries, versions outside of a
 * declared range, sources outside of registries and unreadable versions are reported.
 */
export function readLocked(project: LockedProject, { includeDev, limits }: ReadOptions): Reading {
  const { packages, lock, filesRead } = project
  if (packages.size > limits.maxNodes) {
    throw new Unreadable(`The lockfile has more than ${limits.maxNodes} packages, the limit`, { file: lock.file })
  }
  const direct = project.direct ?? leadersOf(packages, packages.keys())
  const walk: Walk = {
    project,
    nodes: [{ package: { name: project.name, version: project.version }, edges: [] }],
    indexes: new Map(),
    queue: [],
    edges: new Set(),
    includeDev,
    skipped: [],
    unresolved: new Map(),
  }
  followAll(walk, 0, direct)
  drain(walk)
  const skipped = reachedFrom(packages, walk.skipped, walk.indexes)
  const isSkipped = (key: string) => skipped.has(key) && packages.get(key)!.isDev !== false
  const strays = [...packages.keys()].filter((key) => !walk.indexes.has(key) && !isSkipped(key))
  followAll(walk, 0, leadersOf(packages, strays))
  drain(walk)
  const isTested = (key: string) => packages.get(key)!.isProject !== true
  const excluded = [...packages.keys()].filter((key) => !walk.indexes.has(key) && isTested(key)).length
  return {
    graph: { nodes: walk.nodes },
    unresolved: [...project.unresolved, ...walk.unresolved.values()],
    filesRead: [...filesRead],
    locked: true,
    excluded: excluded === 0 ? [] : [{ reason: 'dev', packages: excluded }],
    boundsMet: describeStrays(
      strays.filter((key) => walk.indexes.has(key) && isTested(key)).map((key) => labelOf(packages.get(key)!)),
    ),
  }
}

function followAll(walk: Walk, from: number, requirements: readonly Requirement[]): void {
  for (const requirement of requirements) {
    if (requirement.kind === 'dev' && !walk.includeDev) walk.skipped.push(requirement)
    else follow(walk, from, requirement)
  }
}

function follow(walk: Walk, from: number, requirement: Requirement): void {
  const { packages, lock } = walk.project
  const { key, range, kind } = requirement
  const locked = key === undefined ? undefined : packages.get(key)
  if (key === undefined || locked === undefined) {
    const reason = `${lock.name} has no entry for it; run ${lock.update} to bring the two together`
    report(walk, from, { requirement, code: 'not-in-lockfile', reason })
    return
  }
  reportUnfit(walk, from, { requirement, locked })
  const to = nodeOf(walk, key, locked)
  if (to === from) return
  const edge = `${from} ${to} ${range}`
  if (walk.edges.has(edge)) return
  walk.edges.add(edge)
  walk.nodes[from]!.edges.push({ to, range: withoutCredentials(shorten(range)), kind })
  const reason = findDoubt(locked, walk.project)
  if (reason === undefined) return
  report(walk, from, { requirement, code: locked.elsewhere ? 'not-from-registry' : 'version-unknown', reason })
}

/** Returns the reason why advisories may apply that are not found. */
function findDoubt(locked: LockedPackage, { versions }: LockedProject): string | undefined {
  if (locked.isProject) return undefined
  if (locked.doubt !== undefined) return locked.doubt
  if (locked.elsewhere !== undefined) {
    return `It comes from ${locked.elsewhere}: advisories for ${labelOf(locked)} in the registry may or may not apply to it`
  }
  if (versions.isValid(locked.version)) return undefined
  return `"${shorten(locked.version)}" is not a version, so no advisory can be matched`
}

/** Returns the node of a package; projects of the repository are the root. */
function nodeOf({ nodes, indexes, queue }: Walk, key: string, locked: LockedPackage): number {
  const existing = indexes.get(key)
  if (existing !== undefined) return existing
  const { name, version, isProject, registry, license, commit } = locked
  const index = isProject ? 0 : nodes.length
  indexes.set(key, index)
  queue.push(key)
  if (index > 0) {
    nodes.push({
      package: { name, version },
      edges: [],
      ...(registry !== undefined && { registry }),
      ...(license !== undefined && { license }),
      ...(commit !== undefined && { commit }),
    })
  }
  return index
}

function drain(walk: Walk): void {
  for (let key = walk.queue.pop(); key !== undefined; key = walk.queue.pop()) {
    followAll(walk, walk.indexes.get(key)!, walk.project.packages.get(key)!.requires)
  }
}

/** Reports a locked version outside of a range, which the tool would not install. */
function reportUnfit(
  walk: Walk,
  from: number,
  { requirement, locked }: { requirement: Requirement; locked: LockedPackage },
): void {
  const { versions, lock } = walk.project
  const { range, versions: allowed } = requirement
  if (range === '' || (allowed === undefined && (locked.isProject || locked.elsewhere !== undefined))) return
  const candidates = allowed ?? [locked.version].filter((version) => versions.isValid(version))
  if (candidates.length === 0 || !versions.isRange(range)) return
  if (candidates.some((version) => versions.satisfies(version, range))) return
  const reason = `${lock.name} holds ${locked.version}, which the requirement does not allow; run ${lock.update} to bring them together`
  report(walk, from, { requirement, code: 'lockfile-contradiction', reason })
}

interface Report {
  readonly requirement: Requirement
  readonly code: Unresolved['code']
  readonly reason: string
}

function report(walk: Walk, from: number, { requirement, code, reason }: Report): void {
  const { name, range, line, file } = requirement
  const { package: requiring } = walk.nodes[from]!
  const requiredBy = from === 0 ? walk.project.manifestName : `${requiring.name}@${requiring.version}`
  walk.unresolved.set(`${name}\n${reason}`, {
    name: shorten(name),
    range: withoutCredentials(shorten(range)),
    code,
    reason,
    requiredBy,
    ...(line !== undefined && from === 0 && { line, ...(file !== undefined && { file }) }),
  })
}

/** Returns requirements of packages through which all are reached: first those that no other of them requires. */
function leadersOf(packages: ReadonlyMap<string, LockedPackage>, keys: Iterable<string>): Requirement[] {
  const all = [...keys]
  const required = new Set(
    all.flatMap((key) => packages.get(key)!.requires.flatMap((one) => (one.key === key ? [] : [one.key]))),
  )
  const toRequirement = (key: string): Requirement => {
    const { name, isDev } = packages.get(key)!
    return { key, name, range: '', kind: isDev ? 'dev' : 'prod' }
  }
  const leaders = all.filter((key) => !required.has(key)).map(toRequirement)
  const reached = reachedFrom(packages, leaders, new Map())
  return [...leaders, ...all.filter((key) => !reached.has(key)).map(toRequirement)]
}

/** Returns the keys that requirements lead to, without those that were visited already. */
function reachedFrom(
  packages: ReadonlyMap<string, LockedPackage>,
  requirements: readonly Requirement[],
  visited: ReadonlyMap<string, number>,
): Set<string> {
  const reached = new Set<string>()
  const add = ({ key }: Requirement) => {
    if (key !== undefined && packages.has(key) && !visited.has(key)) reached.add(key)
  }
  for (const requirement of requirements) add(requirement)
  for (const key of reached) for (const requirement of packages.get(key)!.requires) add(requirement)
  return reached
}

function describeStrays(labels: readonly string[]): string[] {
  if (labels.length === 0) return []
  const many = labels.length === 1 ? '1 package' : `${labels.length} packages`
  const shown = `${labels.slice(0, 5).join(', ')}${labels.length > 5 ? ', …' : ''}`
  return [`${many} of the lockfile required by nothing, tested all the same: ${shown}`]
}

function labelOf({ name, version }: LockedPackage): string {
  return `${shorten(name)}@${shorten(version)}`
}
