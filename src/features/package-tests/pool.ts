import { availableParallelism } from 'node:os'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import type { SharedSnapshot } from '#features/advisories/snapshot-file.ts'
import { createAnswerMemory, type PackedAnswer } from '#features/registries/answer-memory.ts'
import { askingFor } from '#features/registries/asker.ts'
import type { RegistryQuestion } from '#features/registries/remote-registries.ts'
import { orAborted } from '#features/registries/shared-work.ts'
import type { Problem } from '#foundation/problem.ts'
import type { FromThread, TestAnswer, TestTask, ThreadProgress, Urgency } from './messages.ts'
import { charactersOf, choosePlace, isBlocked } from './pool-places.ts'
import { closing, crashed, overloaded, RegistriesTooSlow, tooMuchTime, unresponsive } from './pool-problems.ts'
import { type Job, type PoolThread, startPoolThread } from './pool-thread.ts'
import { answerQuestions } from './registry-answers.ts'
import { createTestQueues } from './test-queues.ts'

/** Answers of registries that are kept for all threads. */
const KEPT_CHARACTERS = 32 * 1024 * 1024
/** Of the time of a test no more than this part is spent on what it could do without. */
const SEARCH_SHARE = 3
const WATCH_EVERY_MS = 100
/** A computation that takes longer than this is ended with its thread when its test is abandoned. */
const ABANDONED_MS = 250
/** The spare thread ends when every thread has been idle for this long. */
const SPARE_IDLE_MS = 10_000
/** A test whose registries answered waits this long behind another organization's computation; then it moves to another thread. */
const BLOCKED_MS = 1_000
/** A test that was begun again this often for the sake of others gets a thread for itself. */
const MAX_RESTARTS = 2

export interface PoolSettings {
  /** 0 means one per core. */
  readonly threads: number
  /** Processor time of one test. */
  readonly timeoutSeconds: number
  /** Time that one test may wait for a thread, and as long for registries. */
  readonly waitSeconds: number
  /** Tests of one organization that may wait for a thread. */
  readonly maxWaiting: number
  readonly memoryMb: number
  /** Of the time of a test, what proving upgrades and asking for licences may take; 0 for nothing of either. */
  readonly searchSeconds: number
  /** Of the threads, how many percent tests in the background may use at once; one in any case. */
  readonly backgroundPercent: number
  /** Hears of errors that belong to no test. */
  onError?(error: unknown): void
}

export interface RunOptions {
  /** Default: interactive. */
  readonly urgency?: Urgency
  /** Id of the caller's credential: those of one organization share its time. */
  readonly credential?: string | undefined
  /** Abandons the test: a computation under way ends soon, with its thread if need be. */
  readonly signal?: AbortSignal | undefined
}

/** Threads that read what strangers send, with bounds on time and memory; they start with the first test. */
export interface TestPool {
  /** Rejects with `unavailable` when too many tests wait already. */
  run(task: TestTask, options?: RunOptions): Promise<TestAnswer>
  /** Starts a thread if there is none, for a test that is about to come. */
  warm(): void
  /** The advisories that tests begun from now on use. */
  switchSnapshot(snapshot: SharedSnapshot): void
  /** Tests that wait for a thread. */
  readonly waiting: number
  /** Tests begun and not answered. */
  readonly open: number
  readonly threads: number
  close(): Promise<void>
}

export function createTestPool(settings: PoolSettings, registries: Registries): TestPool {
  const size = settings.threads === 0 ? availableParallelism() : settings.threads
  const backgroundSize = Math.max(1, Math.floor((size * settings.backgroundPercent) / 100))
  const [timeoutMs, waitMs] = [settings.timeoutSeconds * 1000, settings.waitSeconds * 1000]
  const memory = createAnswerMemory(registries, { maxCharacters: KEPT_CHARACTERS, now: Date.now })
  const threads = new Set<PoolThread>()
  const queues = createTestQueues({ size, maxWaiting: settings.maxWaiting })
  let snapshot: SharedSnapshot | undefined
  let lastId = 0
  let closed = false
  const watch = setInterval(watchAll, WATCH_EVERY_MS)
  watch.unref()

  function startThread(): PoolThread {
    const searchSeconds = Math.min(settings.searchSeconds, settings.timeoutSeconds / SEARCH_SHARE)
    const thread = startPoolThread({ memoryMb: settings.memoryMb, searchSeconds, receive, lose })
    if (snapshot) thread.send({ type: 'snapshot', snapshot })
    threads.add(thread)
    return thread
  }

  function dispatch(): void {
    if (closed) return
    let place: PoolThread | undefined
    let needsThread = false
    const fits = (job: Job) => {
      const chosen = choosePlace(job, threads, { size, backgroundSize, memoryMb: settings.memoryMb })
      needsThread ||= chosen === 'new'
      place = chosen === 'new' ? undefined : chosen
      return place !== undefined
    }
    for (let job = queues.take(fits); job !== undefined; job = queues.take(fits)) {
      place!.begun.set(job.id, job)
      place!.send({ type: 'test', id: job.id, task: job.task })
    }
    if (needsThread) startThreads()
  }

  /** Starts no more threads at a time than there are tests for. */
  function startThreads(): void {
    const loading = [...threads].filter(({ isLoading }) => isLoading).length
    const missing = Math.min(queues.size - loading, Math.max(1 - loading, size - threads.size))
    for (let started = 0; started < missing; started++) startThread()
  }

  function receive(thread: PoolThread, message: FromThread): void {
    if (message.type === 'registry-questions') {
      answerTest(thread, message)
      return
    }
    charge(thread, message.progress)
    if (message.type !== 'idle') {
      const job = thread.begun.get(message.id)
      thread.begun.delete(message.id)
      job?.settle(message.type === 'answer' ? { answer: message.answer } : { error: message.error })
    }
    dispatch()
  }

  function charge(thread: PoolThread, { used }: ThreadProgress): void {
    for (const [id, ms] of used) {
      const job = thread.begun.get(id)
      if (job === undefined) continue
      job.usedMs += ms
      queues.charge(job, ms)
      if (job.usedMs > timeoutMs) refuse(thread, job, tooMuchTime(settings))
    }
  }

  function answerTest(
    thread: PoolThread,
    { testId, questions }: Extract<FromThread, { type: 'registry-questions' }>,
  ): void {
    const job = thread.begun.get(testId)
    if (job === undefined) return
    answerQuestions(questions, {
      memory,
      ask: (question) => askFor(job, question),
      send: (answers) => thread.send({ type: 'registry-answers', testId, answers }),
      onError: (error) => settings.onError?.(error),
    })
  }

  async function askFor(job: Job, question: RegistryQuestion): Promise<PackedAnswer> {
    const { signal } = job.asking
    if (job.questions++ === 0) job.askedAt = Date.now()
    try {
      return await orAborted(
        askingFor({ signal, org: job.party.org }, () => memory.ask(question)),
        signal,
      )
    } finally {
      if (--job.questions === 0) job.waitedMs += Date.now() - job.askedAt
    }
  }

  /** A thread died, mostly of what one of its tests did to its memory: each gets a second chance, alone. */
  function lose(thread: PoolThread, error: unknown): void {
    if (!threads.delete(thread)) return
    for (const job of thread.begun.values()) {
      if (closed) job.settle({ error: closing() })
      else if (job.isAlone) job.settle({ error: crashed(settings, error) })
      else requeue(job, { isAlone: true })
    }
    dispatch()
  }

  /** Ends a thread for what one test computes; the others are begun again elsewhere. */
  function end(thread: PoolThread): void {
    threads.delete(thread)
    for (const job of thread.begun.values()) restart(job)
    thread.begun.clear()
    void thread.terminate()
    dispatch()
  }

  function restart(job: Job): void {
    job.restarts++
    requeue(job, { isAlone: job.restarts > MAX_RESTARTS })
  }

  function requeue(job: Job, { isAlone }: { isAlone: boolean }): void {
    // What it asked was asked for a thread that is gone.
    job.asking.abort(new RegistryUnreachable('the test was begun again'))
    Object.assign(job, { asking: new AbortController(), isAlone: job.isAlone || isAlone, queuedAt: Date.now() })
    queues.addAgain(job)
  }

  function watchAll(): void {
    for (const thread of threads) watchThread(thread)
    const now = Date.now()
    for (const job of queues.interactive()) {
      if (now - job.queuedAt < waitMs) continue
      queues.remove(job)
      job.settle({
        error: overloaded(
          queues.retryAfterSeconds(),
          `No test thread was free for ${settings.waitSeconds} s (GATEHOUSE_TEST_WAIT_SECONDS)`,
        ),
      })
    }
    // A test that could not begin at once may be let in for having waited.
    dispatch()
    keepSpare()
  }

  /** The spare thread loads before it is needed, and ends when nothing was computed for a while. */
  function keepSpare(): void {
    const all = [...threads]
    if (all.length === size && all.every((thread) => isBlocked(thread, Date.now()))) startThread()
    const isIdle = all.every(({ begun, idleSince }) => begun.size === 0 && Date.now() - idleSince > SPARE_IDLE_MS)
    if (all.length > size && isIdle) end(all.at(-1)!)
  }

  function watchThread(thread: PoolThread): void {
    const now = Date.now()
    for (const job of thread.begun.values()) {
      const waitedMs = job.waitedMs + (job.questions > 0 ? now - job.askedAt : 0)
      if (waitedMs >= waitMs) job.asking.abort(new RegistriesTooSlow(settings))
    }
    if (!thread.isComputing) return
    thread.sample()
    const current = thread.begun.get(thread.currentId)
    const computesMs = now - thread.computingSince
    if (current !== undefined && current.usedMs + thread.runningMs > timeoutMs) {
      endFor(thread, current, tooMuchTime(settings))
    } else if (now - (thread.silentSince ?? now) > timeoutMs) {
      if (current) endFor(thread, current, unresponsive(settings))
      else end(thread)
    } else if (current === undefined && thread.currentId !== 0 && computesMs > ABANDONED_MS) end(thread)
    else if (computesMs > BLOCKED_MS) moveBlocked(thread, current)
  }

  /** Tests of others do not wait for the end of a long computation. */
  function moveBlocked(thread: PoolThread, current: Job | undefined): void {
    for (const job of thread.begun.values()) {
      const isOwn = job === current || job.party.org === current?.party.org
      if (isOwn || job.questions > 0 || job.restarts >= MAX_RESTARTS) continue
      thread.begun.delete(job.id)
      thread.send({ type: 'abandon', id: job.id })
      restart(job)
    }
  }

  function endFor(thread: PoolThread, job: Job, error: Problem): void {
    thread.begun.delete(job.id)
    queues.charge(job, thread.runningMs)
    job.settle({ error })
    end(thread)
  }

  function refuse(thread: PoolThread, job: Job, error: unknown): void {
    thread.begun.delete(job.id)
    thread.send({ type: 'abandon', id: job.id })
    job.asking.abort(new RegistryUnreachable('the test was given up'))
    job.settle({ error })
  }

  function abandon(job: Job, reason: unknown): void {
    if (queues.remove(job)) job.settle({ error: reason })
    for (const thread of threads) if (thread.begun.has(job.id)) refuse(thread, job, reason)
    dispatch()
  }

  function newJob(task: TestTask, { urgency = 'interactive', credential = '' }: RunOptions): Omit<Job, 'settle'> {
    const party = { org: task.org.id, credential }
    const times = { queuedAt: Date.now(), usedMs: 0, questions: 0, askedAt: 0, waitedMs: 0, restarts: 0 }
    const characters = charactersOf(task.subject)
    return { id: ++lastId, task, party, urgency, characters, ...times, asking: new AbortController(), isAlone: false }
  }

  return {
    get waiting() {
      return queues.waiting
    },
    get open() {
      return [...threads].reduce((sum, { begun }) => sum + begun.size, 0)
    },
    get threads() {
      return threads.size
    },
    warm() {
      if (threads.size === 0 && !closed) startThread()
    },
    switchSnapshot(next) {
      snapshot = next
      for (const thread of threads) thread.send({ type: 'snapshot', snapshot: next })
    },
    async run(task, options = {}) {
      const { signal } = options
      if (closed) throw closing()
      signal?.throwIfAborted()
      return new Promise((resolve, reject) => {
        const onAbort = () => abandon(job, signal!.reason)
        const job: Job = {
          ...newJob(task, options),
          settle(outcome) {
            signal?.removeEventListener('abort', onAbort)
            if ('answer' in outcome) resolve(outcome.answer)
            else reject(outcome.error)
          },
        }
        queues.add(job)
        signal?.addEventListener('abort', onAbort)
        dispatch()
      })
    },
    async close() {
      closed = true
      clearInterval(watch)
      for (const job of queues.drain()) job.settle({ error: closing() })
      await Promise.all([...threads].map((thread) => thread.terminate()))
    },
  }
}
