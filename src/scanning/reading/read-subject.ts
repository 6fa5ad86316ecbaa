import type { Package } from '#analysis/dependency-graph.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import {
  type Ecosystem,
  type Manifest,
  type Reading,
  type ReadOptions,
  RegistryUnreachable,
  type WhatIfResolver,
} from '#analysis/ecosystems/ecosystem.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import { Problem } from '#foundation/problem.ts'
import { decodeFiles, toManifestProblem } from './files.ts'
import { fitsInMemory } from './memory-need.ts'
import { type ProjectPolicy, readProjectPolicy, renumbered, type Separated, separatePolicy } from './project-policy.ts'
import { type Relock, readRelocked } from './relock.ts'
import type { ReadSubject, ReadTask } from './task.ts'

/** Limit on the packages in one graph; a project of this size takes a tenth of a second. */
export const MAX_PACKAGES = 50_000

interface Deps {
  readonly registries: Registries
  readonly memoryMb: number
}

export interface SubjectRead {
  readonly reading: Reading
  /** Undefined for a published package. */
  readonly manifest: Manifest | undefined
  /** The number that an additional file of the manifest had in the request, from 0. */
  numberOf?: Separated['numberOf'] | undefined
  readonly policy?: ProjectPolicy | undefined
  /** Verifies upgrades with these registries; undefined if the graph alone decides. */
  resolverWith(registries: Registries): Promise<WhatIfResolver | undefined>
}

/** Limit on the packages of a project whose upgrades are verified by reading it again. */
const MAX_WHAT_IF_PACKAGES = 10_000

/** Reads files or a published package. Throws `Problem` for errors that the caller can fix. */
export async function readSubject(
  task: ReadTask & { readonly subject: Exclude<ReadSubject, { kind: 'dep-graph' }> },
  ecosystem: Ecosystem,
  { registries, memoryMb }: Deps,
): Promise<SubjectRead> {
  const { subject } = task
  const options = toOptions(task)
  const sent = subject.kind === 'files' ? separatePolicy(fitting(decodeFiles(subject), memoryMb)) : undefined
  const manifest = sent?.manifest
  try {
    const reading =
      subject.kind === 'files'
        ? await readFiles(manifest!, task.relock, { ecosystem, registries, options })
        : await readPackage(ecosystem, subject.package, { registries, options })
    const whatIfOptions = { ...options, limits: { maxNodes: MAX_WHAT_IF_PACKAGES } }
    return {
      manifest,
      numberOf: sent?.numberOf,
      reading: withAllExcluded(
        withExactPackages(withUnreadJars(withUnreadLocks(withNames(reading, sent), manifest), manifest), ecosystem),
      ),
      policy: readProjectPolicy(sent?.policy ?? ('policy' in subject ? subject.policy : undefined), task.policyFiles),
      resolverWith: async (others) => ecosystem.whatIfResolver?.(manifest, others, whatIfOptions),
    }
  } catch (error) {
    if (error instanceof Unreadable) {
      throw toManifestProblem(sent ? renumbered(error, sent) : error, 'places' in subject ? subject.places : undefined)
    }
    if (error instanceof RegistryUnreachable) throw new Problem('registry-unreachable', error.message, { cause: error })
    throw error
  }
}

function readFiles(manifest: Manifest, relock: Relock | undefined, context: Parameters<typeof readRelocked>[2]) {
  const { ecosystem, registries, options } = context
  return relock === undefined ? ecosystem.read(manifest, registries, options) : readRelocked(manifest, relock, context)
}

function toOptions({ includeDev, repositories, python, standardLibrary = true }: ReadTask): ReadOptions {
  const limits = { maxNodes: MAX_PACKAGES }
  return { includeDev, repositories, limits, standardLibrary, ...(python === undefined ? {} : { python }) }
}

function readPackage(
  { id, readPackage }: Ecosystem,
  coordinates: Package,
  { registries, options }: { registries: Registries; options: ReadOptions },
): Promise<Reading> {
  if (readPackage === undefined) throw new Error(`${id} has no tests by coordinates`)
  return readPackage(coordinates, registries, options)
}

function fitting(files: ReturnType<typeof decodeFiles>, memoryMb: number): ReturnType<typeof decodeFiles> {
  if (fitsInMemory([files.target, ...files.additional], memoryMb)) return files
  throw new Problem(
    'test-too-expensive',
    `Reading these files may need more than ${memoryMb} MB of memory (GATEHOUSE_TEST_MEMORY_MB)`,
  )
}

/** Replaces the numbers of additional files by their paths in the repository, or by their numbers in the request. */
function withNames(reading: Reading, sent: Separated | undefined): Reading {
  if (sent === undefined) return reading
  const nameOf = (index: number) =>
    sent.manifest.places?.additional[index] ?? `additional file ${sent.numberOf(index) + 1}`
  const withName = (text: string) =>
    text.replace(/\badditional file (\d+)\b/, (_, number) => nameOf(Number(number) - 1))
  return {
    ...reading,
    filesRead: reading.filesRead.map(withName),
    unresolved: reading.unresolved.map((unresolved) =>
      unresolved.file === undefined ? unresolved : { ...unresolved, file: withName(unresolved.file) },
    ),
  }
}

const OTHER_LOCK =
  'another lockfile of this folder was read. Delete the one that is out of use: it may lock other versions'

const TEXT_LOCK = '. Write bun.lock with "bun install --save-text-lockfile"'

function noLock(manifest: string): string {
  return `these versions are what ${manifest} allows today, not those that it locks`
}

/** Reports unsupported lockfiles: the project uses their versions, not those that ranges allow today. */
function withUnreadLocks(reading: Reading, manifest: Manifest | undefined): Reading {
  const places = manifest?.places
  if (places?.unreadLocks === undefined) return reading
  const manifestName = nameOfFile(places.target)
  const unread = places.unreadLocks.map((name) => ({
    name,
    range: '',
    code: 'lockfile-not-read' as const,
    reason: `${name} is not read here: ${reading.locked ? OTHER_LOCK : noLock(manifestName)}${/\bbun\.lockb$/.test(name) ? TEXT_LOCK : ''}`,
    requiredBy: manifestName,
  }))
  return { ...reading, unresolved: [...unread, ...reading.unresolved] }
}

/** Reports the jars in sbt's `lib` folder, which come from no repository. */
function withUnreadJars(reading: Reading, manifest: Manifest | undefined): Reading {
  const places = manifest?.places
  if (places?.unreadJars === undefined) return reading
  const unread = places.unreadJars.map((name) => ({
    name,
    range: '',
    code: 'not-from-registry' as const,
    reason: 'The build puts this jar on its class path. The contents of jars are not read.',
    requiredBy: nameOfFile(places.target),
  }))
  return { ...reading, unresolved: [...reading.unresolved, ...unread] }
}

function nameOfFile(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Marks a project as untested if all its dependencies are for other environments. */
function withAllExcluded(reading: Reading): Reading {
  const { graph, excluded, filesRead, unresolved } = reading
  const elsewhere = excluded.filter(({ reason }) => reason === 'other-environment' || reason === 'inactive-profile')
  const packages = elsewhere.reduce((sum, exclusion) => sum + exclusion.packages, 0)
  if (graph.nodes.some(({ package: { version } }, at) => at > 0 && version !== '') || packages === 0) return reading
  if (unresolved.some(({ code }) => code === 'other-environment')) return reading
  const all =
    packages === 1 ? 'The only dependency of these files is' : `All ${packages} dependencies of these files are`
  const [tested, them] = packages === 1 ? ['it was not tested', 'it'] : ['none was tested', 'them']
  const reason = `${all} for other environments or profiles, so ${tested}. Test ${them} for ${packages === 1 ? 'its' : 'their'} environment.`
  const [name = 'the project'] = filesRead
  const entry = { name, range: '', code: 'other-environment', reason, requiredBy: name } as const
  return { ...reading, unresolved: [...unresolved, entry] }
}

/**
 * Adds packages that are required at one exact version but have no registry answer. Their dependencies are unknown and
 * stay unresolved, but the packages themselves can be compared with the advisories.
 */
function withExactPackages(reading: Reading, { versions }: Ecosystem): Reading {
  // Maven accepts any text as a version, even a range in brackets.
  const isExact = (range: string) => versions.isValid(range) && !/^[[(]/.test(range)
  const unanswered = reading.unresolved.filter(({ code, range }) => code === 'registry-unreachable' && isExact(range))
  if (unanswered.length === 0) return reading
  const nodes = reading.graph.nodes.map((node) => ({ ...node, edges: [...node.edges] }))
  const byText = new Map(nodes.map(({ package: { name, version } }, at) => [`${name}@${version}`, at]))
  const exact = unanswered.filter(({ name, range }) => !byText.has(`${name}@${range}`))
  for (const { name, range, requiredBy, line, file } of exact) {
    const from = byText.get(requiredBy) ?? 0
    const isDeclared = from === 0 && file === undefined && line !== undefined
    const declaredAt = isDeclared ? { declaredAt: { file: 'target', line } as const } : {}
    nodes[from]!.edges.push({ to: nodes.length, range, kind: 'prod', ...declaredAt })
    nodes.push({ package: { name, version: range }, edges: [] })
  }
  return { ...reading, graph: { nodes } }
}
