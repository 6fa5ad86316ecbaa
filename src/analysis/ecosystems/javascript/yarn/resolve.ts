import type { GraphNode, Unresolved } from '#analysis/dependency-graph.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { NpmReader, VersionMetadata } from '#analysis/registries/npm.ts'
import { npmVersions } from '#analysis/versions/npm.ts'
import { type Dependency, metadataDependencies, toBundledProblem } from '../dependency.ts'
import { nameProject, type PackageJson } from '../package-json.ts'
import { addPeerEdges, type Followed } from '../peers.ts'
import { pickPreferred } from '../resolution/pick-version.ts'
import { createRegistryReads, type RegistryReads } from '../resolution/registry-reads.ts'
import { countLeftOut, missingMembers } from '../resolution/resolve.ts'
import { type Resolution, type Resolutions, ruledRange, splitGuessed } from '../resolutions.ts'
import { parseSpec } from '../spec.ts'
import type { ManifestFiles } from './manifest-files.ts'

interface Resolving {
  readonly reads: RegistryReads
  readonly options: ReadOptions
  readonly resolutions: Resolutions
  readonly members: ReadonlyMap<string, PackageJson>
  readonly nodes: GraphNode[]
  readonly followed: Followed[]
  /** By name and version. */
  readonly indexes: Map<string, number>
  readonly queue: Open[]
  readonly unresolved: Unresolved[]
}

/** A package or the project, with dependencies still to follow. */
interface Open {
  readonly index: number
  readonly label: string
  readonly name: string | undefined
  readonly version: string | undefined
  readonly dependencies: readonly Dependency[]
}

/**
 * Resolves a project without a yarn.lock as `yarn install` would today: each range separately to its newest version,
 * whatever the others chose; peers come from dependents or stay unmet (Yarn's `Project.resolveEverything`). Ranges of a
 * catalog are in a file that is not read.
 */
export async function resolveProject(
  { project, members, resolutions, filesRead }: ManifestFiles & { readonly project: PackageJson },
  reader: NpmReader,
  options: ReadOptions,
): Promise<Reading> {
  const { name = '', version = '' } = project
  const { exact, guessed } = splitGuessed(resolutions)
  const resolving: Resolving = {
    reads: createRegistryReads(reader),
    options,
    resolutions: exact,
    members: new Map(members.map((member) => [member.name ?? '', member])),
    nodes: [{ package: { name, version }, edges: [] }],
    followed: [{ name, peers: [], links: [] }],
    indexes: new Map(),
    queue: [project, ...members].map((member) => ({
      index: 0,
      label: nameProject(member),
      name: member.name,
      version: member.version,
      dependencies: member.dependencies.filter(({ kind }) => kind !== 'dev' || options.includeDev),
    })),
    unresolved: [],
  }
  const boundsMet = await followAll(resolving)
  const isWhole = addPeerEdges(resolving.nodes, resolving.followed)
  if (!isWhole) boundsMet.push('There are too many ways in which peer dependencies are met; not all are followed')
  const graph = { nodes: resolving.nodes }
  const dev = options.includeDev ? 0 : countLeftOut([project, ...members], graph)
  return {
    graph,
    unresolved: [
      ...resolving.unresolved,
      ...guessed.map((resolution) => toUnresolved(resolution, project)),
      ...[project, ...members].flatMap((member) => doubtful(member, exact)),
      ...missingMembers(project, members),
    ],
    filesRead,
    locked: false,
    excluded: dev === 0 ? [] : [{ reason: 'dev', packages: dev }],
    boundsMet,
  }
}

/** Reports a line that is not applied. */
function toUnresolved({ guessed = '', value }: Resolution, project: PackageJson): Unresolved {
  const reason = `The resolution "${shorten(guessed)}" speaks of some places only, which a yarn.lock tells. Send the yarn.lock`
  const range = withoutCredentials(value)
  return { name: shorten(guessed), range, code: 'not-static', reason, requiredBy: nameProject(project) }
}

/**
 * Reports dependencies that Yarn 1 and later versions resolve differently: those also listed in devDependencies, and
 * direct ones changed by a resolution.
 */
function doubtful(asking: PackageJson, resolutions: Resolutions): Unresolved[] {
  const requiredBy = nameProject(asking)
  return asking.dependencies.flatMap((dependency): Unresolved[] => {
    const { name, range, kind, rangeWithoutDev } = dependency
    const ruled = kind === 'dev' ? undefined : ruledRange(resolutions, { parent: asking.name, dependency })
    // Yarn 1 does not support `npm:` without a name.
    const isOfLaterYarn = withoutRegistry(range) !== range
    const isRuled = !isOfLaterYarn && ruled !== undefined && isPicky(range, ruled)
    if (!isRuled && rangeWithoutDev === undefined) return []
    const other = isRuled ? 'its resolution' : 'devDependencies'
    const reason = `Yarn 1 installs it by its range, later versions of Yarn by ${other}. Send the yarn.lock`
    return [{ name, range: withoutCredentials(range), code: 'not-static', reason, requiredBy }]
  })
}

/** Returns false if the resolution gives one version within the range. */
function isPicky(range: string, ruled: string): boolean {
  const version = withoutRegistry(ruled)
  const declared = withoutRegistry(range)
  return !(npmVersions.isValid(version) && npmVersions.isRange(declared) && npmVersions.satisfies(version, declared))
}

async function followAll(resolving: Resolving): Promise<string[]> {
  const { queue, nodes, options, reads } = resolving
  for (const [at, open] of queue.entries()) {
    if (nodes.length > options.limits.maxNodes) return reportLimit(resolving, queue.slice(at))
    for (const { name, range } of open.dependencies) {
      const spec = parseSpec(name, range)
      if (spec.elsewhere === undefined && !resolving.members.has(name)) reads.prefetch(spec.name)
    }
    for (const dependency of open.dependencies) {
      if (dependency.isBundled) resolving.unresolved.push(toBundledProblem(dependency, open.label))
      await follow(resolving, open, dependency)
    }
  }
  return []
}

async function follow(resolving: Resolving, from: Open, dependency: Dependency): Promise<void> {
  const { resolutions, members, reads } = resolving
  const reference = from.index === 0 ? undefined : from.version
  const ruled = ruledRange(resolutions, { parent: from.name, reference, dependency })
  const range = ruled ?? dependency.range
  if (isMember(members.get(dependency.name), range)) return
  const spec = parseSpec(dependency.name, withoutRegistry(range))
  if (spec.elsewhere !== undefined) {
    const reason = `It comes from ${spec.elsewhere}, which is not read without a lockfile`
    return report(resolving, from, { dependency, code: 'not-from-registry', reason })
  }
  const answer = await reads.get(spec.name)
  if ('code' in answer) {
    const isFine = dependency.mayBeAbsent && answer.code === 'not-in-registry'
    return isFine ? undefined : report(resolving, from, { dependency, ...answer })
  }
  const locked = resolving.options.preferred?.by(spec.name, spec.selector)
  const version = pickPreferred(answer.metadata, spec.selector, locked === undefined ? [] : [locked])
  if (version === undefined) {
    if (dependency.mayBeAbsent) return
    return report(resolving, from, {
      dependency,
      code: 'no-matching-version',
      reason: 'No published version matches',
    })
  }
  const to = nodeOf(resolving, { name: spec.name, version, metadata: answer.metadata.versions[version]! })
  resolving.followed[from.index]!.links.push({ name: dependency.name, to })
  resolving.nodes[from.index]!.edges.push({ to, range: spec.selector, kind: dependency.kind })
}

function nodeOf(
  resolving: Resolving,
  { name, version, metadata }: { name: string; version: string; metadata: VersionMetadata },
): number {
  const label = `${name}@${version}`
  const existing = resolving.indexes.get(label)
  if (existing !== undefined) return existing
  const index = resolving.nodes.length
  const { license } = metadata
  const all = metadataDependencies(metadata)
  resolving.nodes.push({ package: { name, version }, edges: [], ...(license === undefined ? {} : { license }) })
  resolving.followed.push({ name, peers: all.filter(({ kind }) => kind === 'peer'), links: [] })
  resolving.indexes.set(label, index)
  resolving.queue.push({ index, label, name, version, dependencies: all.filter(({ kind }) => kind !== 'peer') })
  return index
}

function isMember(member: PackageJson | undefined, range: string): boolean {
  if (member === undefined) return false
  return range.startsWith('workspace:') || npmVersions.satisfies(member.version ?? '0.0.0', range)
}

/** Strips the protocol of Berry's `npm:^1.0.0`; with a name it is an alias, which the spec parser handles. */
function withoutRegistry(range: string): string {
  const plain = range.startsWith('npm:') ? range.slice(4) : range
  return npmVersions.isRange(plain) ? plain : range
}

function report(
  { unresolved }: Resolving,
  { label }: Open,
  { dependency, code, reason }: { dependency: Dependency } & Pick<Unresolved, 'code' | 'reason'>,
): void {
  const { name, range } = dependency
  unresolved.push({ name, range: withoutCredentials(range), code, reason, requiredBy: label })
}

const MAX_LIMIT_REPORTS = 100

function reportLimit(resolving: Resolving, rest: readonly Open[]): string[] {
  const { maxNodes } = resolving.options.limits
  const reason = `Only ${maxNodes} packages are resolved for one project`
  let left = MAX_LIMIT_REPORTS
  for (const open of rest) {
    for (const dependency of open.dependencies) {
      if (left-- > 0) report(resolving, open, { dependency, code: 'bound-met', reason })
    }
  }
  return [`The project has more than ${maxNodes} packages; the rest was not resolved`]
}
