import type { Reading } from '#analysis/ecosystems/ecosystem.ts'
import { getEcosystem } from '#analysis/ecosystems/index.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import { Problem } from '#foundation/problem.ts'
import type { OpenAdvisories } from '../advisories/open-advisories.ts'
import { nameOfRoot, readDepGraph, refuseUnwritable } from '../reading/dep-graph.ts'
import { readProjectPolicy } from '../reading/project-policy.ts'
import { MAX_PACKAGES, readSubject } from '../reading/read-subject.ts'
import type { AnswerForm, ReadTask, ReportForm } from '../reading/task.ts'
import type { StaleAnswer } from '../registries/answer-ages.ts'
import type { TestAnswer, TestFacts, WrittenAnswer } from './answer.ts'
import type { StaleAnswers, TestContext } from './context.ts'
import { createOutsideUse, type OutsideUse } from './outside-use.ts'
import { writeProject } from './project-bytes.ts'
import { toProjectTest } from './project-form.ts'
import { splitDetails } from './referring-result.ts'
import { type Tested, testReading } from './result.ts'
import type { SearchTimes } from './search-time.ts'
import type { TestResult } from './test-result.ts'
import type { WhatIfCache } from './what-if-cache.ts'

/** Writes the JSON document of a report. */
export type WriteReport = (form: ReportForm, tested: Tested, context: TestContext) => object

export interface TestDeps {
  readonly writeReport: WriteReport
  readonly advisories: OpenAdvisories
  readonly memoryMb: number
  readonly registries: Registries
  /** Stale registry answers so far. */
  readonly staleAnswers: readonly StaleAnswer[]
  /** Limits of this server that have ended waiting for registries so far. */
  readonly boundsMet: ReadonlySet<string>
  /** Time for verifying upgrades and asking for licenses. */
  readonly searchTimes: SearchTimes
  readonly whatIfCache: WhatIfCache
  /** Called when a timer, not a registry answer, continues the test. */
  resume(): void
}

/** Runs one test, from its input to the bytes of its answer. Throws `Problem` for errors that the caller can fix. */
export async function runTest(task: ReadTask, deps: TestDeps): Promise<TestAnswer> {
  const { advisories, staleAnswers, boundsMet, searchTimes, whatIfCache, resume } = deps
  const outside = createOutsideUse()
  const registries = outside.watchRegistries(deps.registries)
  const { reading, manifest, numberOf, policy, resolverWith, ecosystem } = await read(task, { ...deps, registries })
  refuseUnknownPackage(task, reading)
  refusePartial(task, reading, boundsMet)
  const search = searchTimes.start(deps.registries, resume)
  const searched = outside.watchRegistries(search.registries)
  const resolver = searchTimes.isOff || task.relock !== undefined ? undefined : await resolverWith(searched)
  const context: TestContext = {
    task,
    ecosystem,
    manifest,
    numberOf,
    advisories,
    resolver: resolver && outside.watchResolver(whatIfCache.remember(ecosystem.id, resolver)),
    licensePolicy: task.licensePolicy,
    policy,
    licenses: searchTimes.isOff ? undefined : searched.licenses,
    isLate: search.isOver,
    boundsMet,
    findStaleAnswer: () => toOldest(staleAnswers),
  }
  try {
    const tested = await testReading(reading, context)
    return {
      ...write(task.form, tested, { context, writeReport: deps.writeReport }),
      facts: toFacts(task, tested, { context, outside }),
    }
  } finally {
    search.end()
  }
}

function write(
  form: AnswerForm,
  tested: Tested,
  { context, writeReport }: { context: TestContext; writeReport: WriteReport },
): WrittenAnswer {
  if (form === 'project') return writeProject(toProjectTest(tested, context))
  const report = writeReport(form, tested, context)
  if (form !== 'of-many' && form !== 'of-many-with-bill') return { body: toBytes(report) }
  const { result, details } = splitDetails(report as TestResult)
  return { body: toBytes(result), details }
}

function toBytes(document: object): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(document))
}

function toFacts(
  { subject }: ReadTask,
  { result }: Tested,
  { context: { advisories, policy }, outside }: { context: TestContext; outside: OutsideUse },
): TestFacts {
  const { header } = advisories.snapshot
  const { ok, coverage, dependencyCount, issues } = result
  return {
    ok,
    complete: coverage.complete,
    packages: dependencyCount,
    issues: issues.vulnerabilities.length + issues.licenses.length,
    // Rules of a policy file may expire.
    isRepeatable: !outside.wasMade && policy === undefined,
    ...(subject.kind === 'dep-graph' && { rootName: nameOfRoot(subject.depGraph) }),
    advisories: { digest: header.digest, builtAt: header.builtAt, isStarterSet: header.isStarterSet },
  }
}

async function read(task: ReadTask, { registries, memoryMb }: TestDeps) {
  const { subject } = task
  if (subject.kind === 'dep-graph') {
    if (task.form === 'project') refuseUnwritable(subject.depGraph)
    const policy = readProjectPolicy(subject.policy, task.policyFiles)
    return { ...readDepGraph(subject.depGraph, MAX_PACKAGES), policy }
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

/** Refuses a test of a single package that was never published. */
function refuseUnknownPackage({ subject }: ReadTask, { unresolved }: Reading): void {
  if (subject.kind !== 'package') return
  const { name, version } = subject.package
  const unknown = unresolved.find(
    (unresolved) =>
      unresolved.name === name &&
      unresolved.range === version &&
      (unresolved.code === 'not-in-registry' || unresolved.code === 'no-matching-version'),
  )
  if (unknown) throw new Problem('package-not-found', `${name}@${version}: ${unknown.reason}`)
}

/** Refuses a result with unanswered registry queries, unless the caller accepts partial ones. */
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
