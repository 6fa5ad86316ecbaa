import type { Reading } from '#analysis/ecosystems/ecosystem.ts'
import { getEcosystem } from '#analysis/ecosystems/index.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import type { OpenAdvisories } from '#features/advisories/open-advisories.ts'
import type { StaleAnswer } from '#features/registries/answer-ages.ts'
import { Problem } from '#foundation/problem.ts'
import type { StaleAnswers, TestContext } from './context.ts'
import { nameOfRoot, readDepGraph, refuseUnwritable } from './dep-graph.ts'
import type { ReadTask, TestAnswer } from './messages.ts'
import { MAX_PACKAGES, readSubject } from './read-subject.ts'
import { type Tested, testReading } from './result.ts'
import type { SearchTimes } from './search-time.ts'
import type { TrialMemory } from './trial-memory.ts'
import { writeForm } from './write-form.ts'

export interface TestMeans {
  readonly advisories: OpenAdvisories
  readonly memoryMb: number
  readonly registries: Registries
  /** Answers of registries that were old, as they come. */
  readonly staleAnswers: readonly StaleAnswer[]
  /** Bounds of this server that ended waiting for registries, as they are met. */
  readonly boundsMet: ReadonlySet<string>
  /** For proving upgrades and asking for licences. */
  readonly searchTimes: SearchTimes
  readonly trialMemory: TrialMemory
  /** To be called when a timer, and no answer of a registry, continues the test. */
  resume(): void
}

/** One test from what was sent to the bytes of its answer. Throws `Problem` for what the caller can mend. */
export async function runTest(task: ReadTask, means: TestMeans): Promise<TestAnswer> {
  const { advisories, registries, staleAnswers, boundsMet, searchTimes, trialMemory, resume } = means
  const { reading, trialsWith, ecosystem } = await read(task, means)
  refuseUnknownPackage(task, reading)
  refusePartial(task, reading, boundsMet)
  const search = searchTimes.start(registries, resume)
  const trials = searchTimes.isOff ? undefined : await trialsWith(search.registries)
  const context: TestContext = {
    task,
    ecosystem,
    advisories,
    trials: trials && trialMemory.remember(ecosystem.id, trials),
    licencePolicy: task.licencePolicy,
    licences: searchTimes.isOff ? undefined : search.registries.licences,
    isLate: search.isOver,
    boundsMet,
    findStaleAnswer: () => toOldest(staleAnswers),
  }
  try {
    return toAnswer(task, await testReading(reading, context), context)
  } finally {
    search.end()
  }
}

function toAnswer({ form, subject }: ReadTask, tested: Tested, context: TestContext): TestAnswer {
  const { header } = context.advisories.snapshot
  const { coverage, dependencyCount, issues } = tested.result
  return {
    ...writeForm(form, tested, context),
    facts: {
      complete: coverage.complete,
      packages: dependencyCount,
      issues: issues.vulnerabilities.length + issues.licenses.length,
      ...(subject.kind === 'dep-graph' && { rootName: nameOfRoot(subject.depGraph) }),
      advisories: { digest: header.digest, builtAt: header.builtAt, isStarterSet: header.isStarterSet },
    },
  }
}

async function read(task: ReadTask, { registries, memoryMb }: TestMeans) {
  const { subject } = task
  if (subject.kind === 'dep-graph') {
    if (task.form === 'project') refuseUnwritable(subject.depGraph)
    return readDepGraph(subject.depGraph, MAX_PACKAGES)
  }
  const ecosystem = getEcosystem(task.ecosystem)
  return { ...(await readSubject({ ...task, subject }, ecosystem, { registries, memoryMb })), ecosystem }
}

function toOldest(answers: readonly StaleAnswer[]): StaleAnswers | undefined {
  if (answers.length === 0) return undefined
  return {
    count: answers.length,
    oldestAt: answers.reduce((oldest, { validatedAt }) => Math.min(oldest, validatedAt), Infinity),
  }
}

/** A test by coordinates of something that was never published has no answer. */
function refuseUnknownPackage({ subject }: ReadTask, { unresolved }: Reading): void {
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
function refusePartial({ acceptPartial }: ReadTask, { unresolved }: Reading, boundsMet: ReadonlySet<string>): void {
  const unreachable = unresolved.filter(({ code }) => code === 'registry-unreachable')
  if (acceptPartial || unreachable.length === 0) return
  const [first] = unreachable
  const more = unreachable.length > 1 ? ` and ${unreachable.length - 1} more` : ''
  const bounds = [...boundsMet].map((bound) => `${bound}. `).join('')
  throw new Problem(
    'registry-unreachable',
    `${first!.name}@${first!.range}${more} could not be resolved: ${first!.reason}. ${bounds}Send a lockfile, or add acceptPartial=true to get what could be tested`,
  )
}
