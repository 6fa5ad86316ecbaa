import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { collectGarbage } from '#foundation/collect-garbage.ts'
import { Problem } from '#foundation/problem.ts'
import { type OpenAdvisories, openAdvisories } from '../advisories/open-advisories.ts'
import { readTask } from '../reading/read-task.ts'
import type { TestTask } from '../reading/task.ts'
import type { StaleAnswer } from '../registries/answer-ages.ts'
import { type RegistryQuestion, remoteRegistries } from '../registries/remote-registries.ts'
import type { TestAnswer } from '../results/answer.ts'
import { runTest, type TestDeps, type WriteReport } from '../results/run-test.ts'
import { createSearchTimes } from '../results/search-time.ts'
import { createWhatIfCache } from '../results/what-if-cache.ts'
import { createCpuShares } from './cpu-shares.ts'
import type { FromThread, ThreadProgress, ToThread } from './messages.ts'
import { charactersOf, LARGE_CHARACTERS } from './pool-places.ts'
import { answerTreeTask } from './read-tree.ts'
import { createRegistryQuestions, unpack } from './registry-questions.ts'
import type { JobAnswer, ReadFiles } from './tree-task.ts'

/**
 * The state of this pool thread, which receives tests, asks the main thread for registry metadata and returns answers.
 */
const { current, memoryMb, searchSeconds } = workerData as {
  current: Int32Array
  memoryMb: number
  searchSeconds: number
}
/** A thread that is idle for this long frees the memory of its last tests. */
const COLLECT_AFTER_MS = 3_000
/**
 * Lowers the priority of test threads below the main thread, which answers requests. Without effect outside of Linux,
 * where a process has one priority.
 */
const NICENESS = 5
if (process.platform === 'linux' && getPriority() < NICENESS) setPriority(NICENESS)
const port = parentPort!
const whatIfCache = createWhatIfCache(Date.now)
const searchTimes = createSearchTimes(searchSeconds, Date.now)
const shares = createCpuShares(current, () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
})

interface Held {
  readonly advisories: OpenAdvisories
  users: number
  isCurrent: boolean
}

// Tests share the verification of upgrades: to the others, this question counts as unanswered.
const givenUp = () => new RegistryUnreachable('the test was given up')

let inUse: Held | undefined
const begun = new Set<number>()
const registryQuestions = createRegistryQuestions((testId, questions) =>
  port.postMessage({ type: 'registry-questions', testId, questions } satisfies FromThread),
)
let received = 0
let reported = 0
let isReportDue = false
let collection: NodeJS.Timeout | undefined

let writeReport: WriteReport

/** Runs the tests that the pool sends to this thread; `write` writes the reports that clients ask for. */
export function serveTests(write: WriteReport): void {
  writeReport = write
  port.on('message', receive)
  port.postMessage({ type: 'idle', progress: toProgress() } satisfies FromThread)
}

function receive(message: ToThread): void {
  if (message.type === 'snapshot') {
    const before = inUse
    inUse = { advisories: openAdvisories(message.snapshot), users: 0, isCurrent: true }
    if (before) before.isCurrent = false
    closeIfUnused(before)
  } else if (message.type === 'abandon') abandon(message.id)
  else work(message)
}

function work(message: Exclude<ToThread, { type: 'snapshot' | 'abandon' }>): void {
  received++
  reportSoon()
  if (message.type === 'test') {
    shares.enter(message.id)
    void run(message)
    return
  }
  shares.enter(message.testId)
  registryQuestions.take(message.answers)
}

/** Reports in the next phase of the event loop: by then all synchronous work that a message caused has run. */
function reportSoon(): void {
  if (isReportDue) return
  isReportDue = true
  setImmediate(() => {
    isReportDue = false
    clearTimeout(collection)
    collection = setTimeout(collectGarbage, COLLECT_AFTER_MS).unref()
    shares.leave()
    if (reported < received) port.postMessage({ type: 'idle', progress: toProgress() } satisfies FromThread)
  })
}

function toProgress(): ThreadProgress {
  reported = received
  return { handled: received, ...shares.report() }
}

function abandon(testId: number): void {
  begun.delete(testId)
  registryQuestions.abandon(testId, givenUp)
}

async function run({ id, task }: Extract<ToThread, { type: 'test' }>): Promise<void> {
  begun.add(id)
  try {
    answer(id, 'question' in task ? { tree: await answerTreeTask(task, readerFor(id)) } : await test(id, task))
  } catch (error) {
    if (error instanceof Problem) answer(id, refusal(error))
    else if (begun.has(id))
      port.postMessage({ type: 'failure', id, error, progress: toProgress() } satisfies FromThread)
  } finally {
    begun.delete(id)
  }
}

async function test(id: number, task: TestTask): Promise<TestAnswer> {
  const advisoriesInUse = inUse
  if (advisoriesInUse) advisoriesInUse.users++
  try {
    // Invalid input gets its own error, even before advisories are loaded.
    const read = readTask(task, memoryMb)
    if (!advisoriesInUse) throw noAdvisories()
    return await runTest(read, {
      advisories: advisoriesInUse.advisories,
      memoryMb,
      writeReport,
      searchTimes,
      whatIfCache,
      ...askedFor(id),
    })
  } finally {
    if (advisoriesInUse) advisoriesInUse.users--
    closeIfUnused(advisoriesInUse)
    // The next large test may run in another thread.
    if (charactersOf(task.subject) > LARGE_CHARACTERS) setImmediate(collectGarbage)
  }
}

/** Files that one question asks for: the main thread holds them all. */
const FILES_AT_ONCE = 500

function readerFor(testId: number): ReadFiles {
  return async (paths) => {
    const texts = new Map<string, string>()
    for (let at = 0; at < paths.length; at += FILES_AT_ONCE) {
      if (!begun.has(testId)) throw givenUp()
      const files = paths.slice(at, at + FILES_AT_ONCE)
      const packed = await registryQuestions.ask({ id: testId, boundsMet: new Set() }, { files })
      for (const [path, text] of unpack(packed) as ReadonlyMap<string, string>) texts.set(path, text)
    }
    return texts
  }
}

function answer(id: number, answer: JobAnswer): void {
  shares.leave()
  const message: FromThread = { type: 'answer', id, answer, progress: toProgress() }
  port.postMessage(message, 'body' in answer ? [answer.body.buffer] : [])
}

function refusal({ code, faults }: Problem): TestAnswer {
  return { problem: { code, faults } }
}

function noAdvisories(): Problem {
  return new Problem('unavailable', 'No advisories are loaded yet; see /readyz')
}

function closeIfUnused(previous: Held | undefined): void {
  if (previous && !previous.isCurrent && previous.users === 0) previous.advisories.close()
}

/**
 * Registries that ask the main thread by message; an abandoned test stops asking. One test asks each question once, so
 * that it sees one state of a registry however often it reads a project.
 */
function askedFor(testId: number): Pick<TestDeps, 'registries' | 'staleAnswers' | 'boundsMet' | 'resume'> {
  const staleAnswers: StaleAnswer[] = []
  const boundsMet = new Set<string>()
  const answers = new Map<string, Promise<unknown>>()

  async function ask(question: RegistryQuestion): Promise<unknown> {
    if (!begun.has(testId)) throw givenUp()
    const packed = await registryQuestions.ask({ id: testId, boundsMet }, question)
    staleAnswers.push(...packed.stale)
    return unpack(packed)
  }

  const registries = remoteRegistries((question) => {
    const key = JSON.stringify(question)
    const cached = answers.get(key) ?? ask(question)
    answers.set(key, cached)
    return cached
  })
  const resume = () => {
    shares.enter(testId)
    reportSoon()
  }
  return { registries, staleAnswers, boundsMet, resume }
}
