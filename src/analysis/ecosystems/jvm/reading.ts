import type { Edge, GraphNode, Package, Unresolved } from '../../dependency-graph.ts'
import type { Reading, ReadOptions } from '../ecosystem.ts'
import { type Collection, isInvalid, type Kept, type Way } from './collect.ts'
import type { PomFault } from './coordinates.ts'
import type { EffectivePom } from './effective-pom.ts'
import type { SourcePosition } from './pom.ts'
import { effectiveScopes, toScope } from './scopes.ts'
import { listUndecidedOfPackage } from './undecided-profiles.ts'
import { UNMANAGED } from './version-choice.ts'

/** One POM of the project with its collected packages. */
export interface ProjectPart {
  /** Undefined for a test by coordinates, which has no POM. */
  readonly pom: EffectivePom | undefined
  readonly collection: Collection
}

interface Frame {
  /** The project, which becomes the first node. */
  readonly project: Package
  /** Its name as a requiring package. */
  readonly label: string
  readonly locked?: boolean
  readonly options: ReadOptions
  readonly filesRead: string[]
  readonly unresolved: readonly Unresolved[]
  readonly notes: readonly string[]
  /** Number of packages of inactive profiles. */
  readonly inactive: number
  /** Number of packages that only the compiler runs. */
  readonly ofBuild?: number
  /** Number of development packages that were skipped. */
  readonly leftOut?: number
}

/**
 * Merges all parts into one graph: the project and its modules share the first node, below which each module has its
 * own versions.
 */
export function toReading(parts: readonly ProjectPart[], frame: Frame): Reading {
  const {
    options,
    filesRead,
    notes,
    inactive,
    ofBuild = 0,
    project,
    label,
    locked = false,
    leftOut: unseen = 0,
  } = frame
  const root: GraphNode = { package: project, edges: [] }
  const nodes = [root]
  const unresolved = [...frame.unresolved]
  const bounds = new Set(notes)
  const leftOut = new Set<string>()
  for (const part of parts) {
    const added = addPart(nodes, part, { options, label })
    unresolved.push(...added.unresolved)
    for (const label of added.leftOut) leftOut.add(label)
    for (const bound of added.boundsMet) bounds.add(bound)
  }
  const present = new Set(nodes.slice(1).map((node) => `${node.package.name}@${node.package.version}`))
  const dev = [...leftOut].filter((label) => !present.has(label)).length + unseen
  return {
    graph: { nodes },
    unresolved: distinct(unresolved),
    filesRead,
    locked,
    excluded: [
      ...(dev === 0 ? [] : [{ reason: 'dev' as const, packages: dev }]),
      ...(ofBuild === 0 ? [] : [{ reason: 'build' as const, packages: ofBuild }]),
      ...(inactive === 0 ? [] : [{ reason: 'inactive-profile' as const, packages: inactive }]),
    ],
    boundsMet: [...bounds],
  }
}

interface Added {
  readonly unresolved: readonly Unresolved[]
  readonly leftOut: readonly string[]
  readonly boundsMet: readonly string[]
}

function addPart(
  nodes: GraphNode[],
  { pom, collection }: ProjectPart,
  { options: { includeDev }, label }: Pick<Frame, 'options' | 'label'>,
): Added {
  const { kept, ways } = collection
  const scopes = effectiveScopes(kept.length + 1, ways.flatMap(toScopedEdge))
  const isIn = (number: number) => number === 0 || includeDev || (scopes[number] !== 'test' && scopes[number] !== '')
  const indexes = new Map<number, number>([[0, 0]])
  for (const [at, keptPackage] of kept.entries()) {
    if (!isIn(at + 1)) continue
    indexes.set(at + 1, nodes.length)
    nodes.push(toNode(keptPackage))
  }
  const keys = new Set<string>()
  for (const way of ways) {
    const from = indexes.get(way.from)
    const to = way.to === undefined ? undefined : indexes.get(way.to)
    if (from === undefined || to === undefined) continue
    const range = way.dependency.version ?? ''
    const kind = kindOf(way, { isTest: scopes[way.to!] === 'test' })
    const key = `${from} ${to} ${kind} ${range}`
    if (keys.has(key)) continue
    keys.add(key)
    nodes[from]!.edges.push({
      to,
      range,
      kind,
      ...(from === 0 && way.dependency.place !== undefined && { declaredAt: way.dependency.place }),
    })
  }
  const nameOf = (number: number) => (number === 0 ? nameProject(pom, label) : toText(kept[number - 1]!))
  const isNeeded = ({ from, dependency }: Way) =>
    isIn(from) && (includeDev || from !== 0 || dependency.scope !== 'test')
  const isUnreachable = ({ code }: { readonly code: Unresolved['code'] }) => code === 'registry-unreachable'
  const { needed = [], unneeded = [] } = Object.groupBy(
    ways.map((way) => {
      const faults = way.from === 0 ? (pom?.faults ?? []) : []
      return { isWanted: isNeeded(way), problems: problemOf(way, nameOf(way.from), faults) }
    }),
    ({ isWanted }) => (isWanted ? 'needed' : 'unneeded'),
  )
  const missing = [
    ...(pom?.faults ?? []).map((fault) => toUnresolved(fault, nameOf(0))),
    ...kept.flatMap((kept, at) =>
      faultsOf(kept)
        .filter((fault) => isIn(at + 1) || isUnreachable(fault))
        .map((fault) => toUnresolved(fault, nameOf(at + 1))),
    ),
    ...kept.flatMap((kept, at) =>
      kept.pom === undefined || !isIn(at + 1) ? [] : listUndecidedOfPackage(kept.pom, nameOf(at + 1)),
    ),
    ...needed.flatMap(({ problems }) => problems),
    ...unneeded.flatMap(({ problems }) => problems.filter(isUnreachable)),
  ]
  // A dependency on a package cut off by a limit may be missing here.
  const [bound] = collection.boundsMet
  if (bound !== undefined && missing.every(({ code }) => code !== 'bound-met')) {
    missing.push({ name: nameOf(0), range: '', code: 'bound-met', reason: bound, requiredBy: nameOf(0) })
  }
  const unknownForTests = unneeded.flatMap(({ problems }) => problems).length
  return {
    unresolved: missing,
    leftOut: kept.flatMap((kept, at) => (isIn(at + 1) ? [] : [toText(kept)])),
    boundsMet: [
      ...collection.boundsMet,
      ...kept.flatMap((kept, at) => (isIn(at + 1) ? openVersionsOf(kept) : [])),
      ...(unknownForTests === 0
        ? []
        : [
            `${unknownForTests === 1 ? '1 dependency that only tests need is not known; it' : `${unknownForTests} dependencies that only tests need are not known; they`} might decide versions that are shared`,
          ]),
    ],
  }
}

function toScopedEdge({ from, to, dependency, isScopeManaged }: Way) {
  return to === undefined ? [] : [{ from, to, scope: toScope(dependency.scope), isManaged: isScopeManaged }]
}

function toNode({ coordinates: { group, artifact, version }, pom }: Kept): GraphNode {
  const licenses = pom?.licenses ?? []
  return {
    package: { name: `${group}:${artifact}`, version },
    edges: [],
    ...(pom?.lineage[0]?.pom.origin === 'project' && { isProject: true }),
    ...(licenses.length === 0 ? {} : { license: licenses.join(' OR ') }),
  }
}

function kindOf({ from, dependency }: Way, { isTest }: { readonly isTest: boolean }): Edge['kind'] {
  if (isTest || (from === 0 && dependency.scope === 'test')) return 'dev'
  return dependency.optional ? 'optional' : 'prod'
}

function toText({ coordinates: { group, artifact, version } }: Kept): string {
  return `${group}:${artifact}@${version}`
}

/** Returns the module's own name. */
function nameProject(pom: EffectivePom | undefined, label: string): string {
  return pom === undefined ? label : `${pom.group}:${pom.artifact}@${pom.version}`
}

/** Returns missing bases of a published POM, whose dependencies Maven ignores. */
function faultsOf({ pom }: Kept): readonly PomFault[] {
  return pom === undefined || pom.lineage[0]?.pom.origin === 'project' ? [] : pom.faults
}

function openVersionsOf(kept: Kept): string[] {
  const isOpen = kept.pom !== undefined && isInvalid(kept.pom) && kept.pom.faults.length === 0
  return isOpen ? [`The POM of ${toText(kept)} leaves versions open; like Maven we take no dependencies from it`] : []
}

/** `faults` are missing POMs, which may manage versions of the requiring one. */
function problemOf(
  { dependency, to, problem: wayProblem }: Way,
  requiredBy: string,
  faults: readonly PomFault[],
): Unresolved[] {
  if (wayProblem === undefined && to !== undefined) return []
  const [fault] = faults
  const problem =
    wayProblem?.reason === UNMANAGED && fault !== undefined ? { ...wayProblem, reason: toUnmanaged(fault) } : wayProblem
  const { group, artifact, version = '', place } = dependency
  const conflict = { code: 'no-matching-version', reason: 'No version satisfies all requirements' } as const
  return [toUnresolved({ name: `${group}:${artifact}`, range: version, place, ...(problem ?? conflict) }, requiredBy)]
}

function toUnmanaged({ name, range }: PomFault): string {
  return `No version is given, and ${range === '' ? name : `${name}:${range}`}, which may manage one, could not be read`
}

function toUnresolved({ name, range, code, reason, place }: PomFault, requiredBy: string): Unresolved {
  return { name, range, code, reason, requiredBy, ...toLine(place) }
}

/** Formats a place for people, who know files by their order. */
export function toLine(place: SourcePosition | undefined): Pick<Unresolved, 'line' | 'file'> {
  if (place === undefined) return {}
  return { line: place.line, ...(place.file === 'target' ? {} : { file: `additional file ${place.file + 1}` }) }
}

function distinct(unresolved: readonly Unresolved[]): Unresolved[] {
  return [...new Map(unresolved.map((unresolved) => [JSON.stringify(unresolved), unresolved])).values()]
}
