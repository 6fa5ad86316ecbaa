import type { Package } from '#analysis/dependency-graph.ts'
import type { Ecosystem, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import { RegistryUnreachable, Unreadable } from '#analysis/ecosystems/ecosystem.ts'
import { getEcosystem } from '#analysis/ecosystems/index.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import type { OpenAdvisories } from '#features/advisories/open-advisories.ts'
import { Problem } from '#foundation/problem.ts'
import { decodeFiles, toManifestProblem } from './files.ts'
import { fitsInMemory } from './memory-need.ts'
import type { TestAnswer, TestTask } from './messages.ts'
import { toTestResult } from './result.ts'

/** Packages in one graph; a project of this size takes a tenth of a second. */
const MAX_PACKAGES = 50_000

export interface TestMeans {
  readonly advisories: OpenAdvisories
  readonly memoryMb: number
  readonly registries: Registries
}

/** One test from files to the bytes of its answer. Throws `Problem` for what the caller can mend. */
export async function runTest(task: TestTask, { advisories, memoryMb, registries }: TestMeans): Promise<TestAnswer> {
  const ecosystem = getEcosystem(task.ecosystem)
  const reading = await read(task, ecosystem, { registries, memoryMb })
  refuseUnknownPackage(task, reading)
  refusePartial(task, reading)
  const result = toTestResult(reading, { task, ecosystem, advisories })
  const { header } = advisories.snapshot
  return {
    body: new TextEncoder().encode(JSON.stringify(result)),
    facts: {
      complete: result.coverage.complete,
      packages: result.dependencyCount,
      issues: result.issues.vulnerabilities.length,
      advisories: { digest: header.digest, builtAt: header.builtAt, isStarterSet: header.isStarterSet },
    },
  }
}

async function read(
  { subject, includeDev, repositories, python }: TestTask,
  ecosystem: Ecosystem,
  { registries, memoryMb }: { registries: Registries; memoryMb: number },
): Promise<Reading> {
  const limits = { maxNodes: MAX_PACKAGES }
  const options: ReadOptions = { includeDev, repositories, limits, ...(python === undefined ? {} : { python }) }
  try {
    const reading =
      subject.kind === 'package'
        ? await readPackage(ecosystem, subject.package, { registries, options })
        : await ecosystem.read(fitting(decodeFiles(subject), memoryMb), registries, options)
    return withExactPackages(reading, ecosystem)
  } catch (error) {
    if (error instanceof Unreadable) throw toManifestProblem(error)
    if (error instanceof RegistryUnreachable) throw new Problem('registry-unreachable', error.message, { cause: error })
    throw error
  }
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

/**
 * When the registry gives no answer, what a package depends on is not known, but a package that is asked for at one
 * exact version is: it is held against the advisories all the same, beside its unresolved entry.
 */
function withExactPackages(reading: Reading, { versions }: Ecosystem): Reading {
  // Maven takes any text for a version, also a range in brackets.
  const isExact = (range: string) => versions.isValid(range) && !/^[[(]/.test(range)
  const unanswered = reading.unresolved.filter(({ code, range }) => code === 'registry-unreachable' && isExact(range))
  if (unanswered.length === 0) return reading
  const nodes = reading.graph.nodes.map((node) => ({ ...node, edges: [...node.edges] }))
  const byText = new Map(nodes.map(({ package: { name, version } }, at) => [`${name}@${version}`, at]))
  const exact = unanswered.filter(({ name, range }) => !byText.has(`${name}@${range}`))
  for (const { name, range, requiredBy } of exact) {
    nodes[byText.get(requiredBy) ?? 0]!.edges.push({ to: nodes.length, range, kind: 'prod' })
    nodes.push({ package: { name, version: range }, edges: [] })
  }
  return { ...reading, graph: { nodes } }
}

/** A test by coordinates of something that was never published has no answer. */
function refuseUnknownPackage({ subject }: TestTask, { unresolved }: Reading): void {
  if (subject.kind !== 'package') return
  const { name, version } = subject.package
  const unknown = unresolved.find(
    (each) =>
      each.name === name &&
      each.range === version &&
      (each.code === 'not-in-registry' || each.code === 'no-matching-version'),
  )
  if (unknown) throw new Problem('package-not-found', `${name}@${version}: ${unknown.reason}`)
}

/** What a registry would not tell is not passed over, unless the caller says that it may be. */
function refusePartial({ acceptPartial }: TestTask, { unresolved }: Reading): void {
  const unreachable = unresolved.filter(({ code }) => code === 'registry-unreachable')
  if (acceptPartial || unreachable.length === 0) return
  const [first] = unreachable
  const more = unreachable.length > 1 ? ` and ${unreachable.length - 1} more` : ''
  throw new Problem(
    'registry-unreachable',
    `${first!.name}@${first!.range}${more} could not be resolved: ${first!.reason}. Send a lockfile, or add acceptPartial=true to get what could be tested`,
  )
}
