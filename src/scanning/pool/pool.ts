import { availableParallelism } from 'node:os'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import type { Problem } from '#foundation/problem.ts'
import { inSpan } from '#foundation/tracing/tracing.ts'
import type { SharedSnapshot } from '../advisories/snapshot-file.ts'
import type { TestTask } from '../reading/task.ts'
import { type AnswerMemory, createAnswerMemory, type PackedAnswer } from '../registries/answer-memory.ts'
import { askingFor } from '../registries/asker.ts'
import type { RegistryQuestion } from '../registries/remote-registries.ts'
import { orAborted } from '../registries/shared-work.ts'
import type { TestAnswer } from '../results/answer.ts'
import type { FromThread, ThreadProgress } from './messages.ts'
import { newJob } from './new-job.ts'
import { choosePlace, isBlocked } from './pool-places.ts'
import { closing, crashed, overloaded, RegistriesTooSlow, tooMuchTime, unresponsive } from './pool-problems.ts'
import { type Job, type PoolThread, startPoolThread } from './pool-thread.ts'
import { readFor } from './read-tree.ts'
import { answerQuestions } from './registry-answers.ts'
import { createResultCache, keyOf } from './result-cache.ts'
import type { RunOptions, TestPool } from './test-pool.ts'
import { createTestQueues, type TestQueues } from './test-queues.ts'
import type { JobAnswer, ReadFiles, TreeAnswer, TreeTask } from './tree-task.ts'

/** Size of the registry answers that the main thread keeps for all test threads. */
const KEPT_CHARACTERS = 32 * 1024 * 1024
const WATCH_EVERY_MS = 100
/** When a test is abandoned, its thread is ended if the test's computation takes longer than this. */
const ABANDONED_MS = 250
/** The spare thread ends when every thread has been idle for this long. */
const SPARE_IDLE_MS = 10_000
/**
 * A test whose registry answers have arrived waits this long for another organization's computation, then changes
 * threads.
 */
const BLOCKED_MS = 1_000
/** A test that was restarted more often than this because of other tests gets a thread of its own. */
const MAX_RESTARTS = 2

export interface PoolSettings {
  /** The module that the threads run; it calls `serveTests`. */
  readonly program: URL
  /** 0 means one per core. */
  readonly threads: number
  /** Limit on the processor time of one test. */
  readonly timeoutSeconds: number
  /** Limit on the time that one test waits for a thread; the same limit applies to its waiting for registries. */
  readonly waitSeconds: number
  /** Limit on one organization's tests that wait for a thread. */
  readonly maxWaiting: number
  readonly memoryMb: number
  /** Seconds of a test for verifying upgrades and fetching licenses; 0 disables both. */
  readonly searchSeconds: number
  /** Percentage of threads for background tests; always at least one. */
  readonly backgroundPercent: number
  /** Called with errors that belong to no test. */
  onError?(error: unknown): void
}

export function createTestPool(settings: PoolSettings, registries: Registries): TestPool {
  return new ThreadPool(settings, registries)
}

class ThreadPool implements TestPool {
  private readonly settings: PoolSettings
  private readonly size: number
  private readonly backgroundSize: number
  private readonly timeoutMs: number
  private readonly waitMs: number
  private readonly memory: AnswerMemory
  private readonly kept = createResultCache()
  private readonly running = new Set<PoolThread>()
  private readonly queues: TestQueues
  private readonly watch: NodeJS.Timeout
  private snapshot: SharedSnapshot | undefined
  private lastId = 0
  private closed = false

  constructor(settings: PoolSettings, registries: Registries) {
    this.settings = settings
    this.size = settings.threads === 0 ? availableParallelism() : settings.threads
    this.backgroundSize = Math.max(1, Math.floor((this.size * settings.backgroundPercent) / 100))
    this.timeoutMs = settings.timeoutSeconds * 1000
    this.waitMs = settings.waitSeconds * 1000
    this.memory = createAnswerMemory(registries, { maxCharacters: KEPT_CHARACTERS, now: Date.now })
    this.queues = createTestQueues({ size: this.size, maxWaiting: settings.maxWaiting })
    this.watch = setInterval(() => this.watchAll(), WATCH_EVERY_MS)
    this.watch.unref()
  }

  get waiting(): number {
    return this.queues.waiting
  }

  get open(): number {
    return [...this.running].reduce((sum, { begun }) => sum + begun.size, 0)
  }

  get threads(): number {
    return this.running.size
  }

  warm(): void {
    if (this.running.size === 0 && !this.closed) this.startThread()
  }

  switchSnapshot(next: SharedSnapshot): void {
    this.snapshot = next
    this.kept.clear()
    for (const thread of this.running) thread.send({ type: 'snapshot', snapshot: next })
  }

  async run(task: TestTask, options: RunOptions = {}): Promise<TestAnswer> {
    const { signal } = options
    if (this.closed) throw closing()
    signal?.throwIfAborted()
    const key = keyOf(task)
    const kept = key ? this.kept.find(key) : undefined
    if (kept) return kept
    const answer = await inSpan('package test', { 'gatehouse.urgency': options.urgency ?? 'interactive' }, () =>
      this.enqueue(task, options),
    )
    if ('tree' in answer) throw new Error('a test thread answered a test with the survey of a tree')
    // The thread may have used advisories that have since been replaced.
    const isCurrent = 'facts' in answer && answer.facts.advisories.digest === this.snapshot?.header.digest
    if (key && isCurrent) this.kept.keep(key, answer).catch((error: unknown) => this.settings.onError?.(error))
    return answer
  }

  async readTree(task: TreeTask, options: RunOptions & { readonly read: ReadFiles }): Promise<TreeAnswer> {
    if (this.closed) throw closing()
    options.signal?.throwIfAborted()
    const answer = await this.enqueue(task, options)
    if (!('tree' in answer)) throw new Error('a test thread answered a question about a tree with a test')
    return answer.tree
  }

  private enqueue(task: TestTask | TreeTask, options: RunOptions & { readonly read?: ReadFiles }): Promise<JobAnswer> {
    const { signal } = options
    return new Promise((resolve, reject) => {
      const onAbort = () => this.abandon(job, signal!.reason)
      const job: Job = {
        ...newJob(++this.lastId, task, options),
        settle(outcome) {
          signal?.removeEventListener('abort', onAbort)
          if ('answer' in outcome) resolve(outcome.answer)
          else reject(outcome.error)
        },
      }
      this.queues.add(job)
      signal?.addEventListener('abort', onAbort)
      this.dispatch()
    })
  }

  async close(): Promise<void> {
    this.closed = true
    clearInterval(this.watch)
    for (const job of this.queues.drain()) job.settle({ error: closing() })
    await Promise.all([...this.running].map((thread) => thread.terminate()))
  }

  private startThread(): PoolThread {
    const { program, memoryMb, searchSeconds } = this.settings
    const thread = startPoolThread({
      program,
      memoryMb,
      searchSeconds,
      receive: (from, message) => this.receive(from, message),
      lose: (lost, error) => this.lose(lost, error),
    })
    if (this.snapshot) thread.send({ type: 'snapshot', snapshot: this.snapshot })
    this.running.add(thread)
    return thread
  }

  private dispatch(): void {
    if (this.closed) return
    let place: PoolThread | undefined
    let needsThread = false
    const fits = (job: Job) => {
      const chosen = choosePlace(job, this.running, {
        size: this.size,
        backgroundSize: this.backgroundSize,
        memoryMb: this.settings.memoryMb,
      })
      needsThread ||= chosen === 'new'
      place = chosen === 'new' ? undefined : chosen
      return place !== undefined
    }
    for (let job = this.queues.take(fits); job !== undefined; job = this.queues.take(fits)) {
      place!.begun.set(job.id, job)
      place!.send({ type: 'test', id: job.id, task: job.task })
    }
    if (needsThread) this.startThreads()
  }

  /** Starts threads, no more at a time than tests are waiting. */
  private startThreads(): void {
    const loading = [...this.running].filter(({ isLoading }) => isLoading).length
    const missing = Math.min(this.queues.size - loading, Math.max(1 - loading, this.size - this.running.size))
    for (let started = 0; started < missing; started++) this.startThread()
  }

  private receive(thread: PoolThread, message: FromThread): void {
    if (message.type === 'registry-questions') {
      this.answerTest(thread, message)
      return
    }
    this.charge(thread, message.progress)
    if (message.type !== 'idle') {
      const job = thread.begun.get(message.id)
      thread.begun.delete(message.id)
      job?.settle(message.type === 'answer' ? { answer: message.answer } : { error: message.error })
    }
    this.dispatch()
  }

  private charge(thread: PoolThread, { used }: ThreadProgress): void {
    for (const [id, ms] of used) {
      const job = thread.begun.get(id)
      if (job === undefined) continue
      job.usedMs += ms
      this.queues.charge(job, ms)
      if (job.usedMs > this.timeoutMs) this.refuse(thread, job, tooMuchTime(this.settings))
    }
  }

  private answerTest(
    thread: PoolThread,
    { testId, questions }: Extract<FromThread, { type: 'registry-questions' }>,
  ): void {
    const job = thread.begun.get(testId)
    if (job === undefined) return
    answerQuestions(questions, {
      find: (question) => ('files' in question ? undefined : this.memory.find(question)),
      ask: (question) => ('files' in question ? readFor(job, question.files) : this.askFor(job, question)),
      send: (answers) => thread.send({ type: 'registry-answers', testId, answers }),
      onError: (error) => this.settings.onError?.(error),
    })
  }

  private async askFor(job: Job, question: RegistryQuestion): Promise<PackedAnswer> {
    const { signal } = job.asking
    if (job.questions++ === 0) job.askedAt = Date.now()
    try {
      return await orAborted(
        askingFor({ signal, org: job.party.org }, () => this.memory.ask(question)),
        signal,
      )
    } finally {
      if (--job.questions === 0) job.waitedMs += Date.now() - job.askedAt
    }
  }

  /**
   * Requeues the tests of a thread that died, usually because one test ran out of memory; each then runs alone, once.
   */
  private lose(thread: PoolThread, error: unknown): void {
    if (!this.running.delete(thread)) return
    for (const job of thread.begun.values()) {
      if (this.closed) job.settle({ error: closing() })
      else if (job.isAlone) job.settle({ error: crashed(this.settings, error) })
      else this.requeue(job, { isAlone: true })
    }
    this.dispatch()
  }

  /** Ends a thread because of what one test computes; its other tests restart in other threads. */
  private end(thread: PoolThread): void {
    this.running.delete(thread)
    for (const job of thread.begun.values()) this.restart(job)
    thread.begun.clear()
    void thread.terminate()
    this.dispatch()
  }

  private restart(job: Job): void {
    job.restarts++
    this.requeue(job, { isAlone: job.restarts > MAX_RESTARTS })
  }

  private requeue(job: Job, { isAlone }: { isAlone: boolean }): void {
    // The thread that asked no longer exists.
    job.asking.abort(new RegistryUnreachable('the test was begun again'))
    Object.assign(job, { asking: new AbortController(), isAlone: job.isAlone || isAlone, queuedAt: Date.now() })
    this.queues.addAgain(job)
  }

  private watchAll(): void {
    for (const thread of this.running) this.watchThread(thread)
    const now = Date.now()
    for (const job of this.queues.interactive()) {
      if (now - job.queuedAt < this.waitMs) continue
      this.queues.remove(job)
      job.settle({
        error: overloaded(
          this.queues.retryAfterSeconds(),
          `No test thread was free for ${this.settings.waitSeconds} s`,
        ),
      })
    }
    // A test that had to wait for tests like it may have waited long enough to begin.
    this.dispatch()
    this.keepSpare()
  }

  /** Starts the spare thread before it is needed; ends it after all threads were idle for a while. */
  private keepSpare(): void {
    const all = [...this.running]
    if (all.length === this.size && all.every((thread) => isBlocked(thread, Date.now()))) this.startThread()
    const isIdle = all.every(({ begun, idleSince }) => begun.size === 0 && Date.now() - idleSince > SPARE_IDLE_MS)
    if (all.length > this.size && isIdle) this.end(all.at(-1)!)
  }

  private watchThread(thread: PoolThread): void {
    const now = Date.now()
    for (const job of thread.begun.values()) {
      const waitedMs = job.waitedMs + (job.questions > 0 ? now - job.askedAt : 0)
      if (waitedMs >= this.waitMs) job.asking.abort(new RegistriesTooSlow(this.settings))
    }
    if (!thread.isComputing) return
    thread.sample()
    const current = thread.begun.get(thread.currentId)
    const computesMs = now - thread.computingSince
    if (current !== undefined && current.usedMs + thread.runningMs > this.timeoutMs) {
      this.endFor(thread, current, tooMuchTime(this.settings))
    } else if (now - (thread.silentSince ?? now) > this.timeoutMs) {
      if (current) this.endFor(thread, current, unresponsive(this.settings))
      else this.end(thread)
    } else if (current === undefined && thread.currentId !== 0 && computesMs > ABANDONED_MS) this.end(thread)
    else if (computesMs > BLOCKED_MS) this.moveBlocked(thread, current)
  }

  /** Moves other organizations' tests away from a thread that is busy with a long computation. */
  private moveBlocked(thread: PoolThread, current: Job | undefined): void {
    for (const job of thread.begun.values()) {
      const isOwn = job === current || job.party.org === current?.party.org
      if (isOwn || job.questions > 0 || job.restarts >= MAX_RESTARTS) continue
      thread.begun.delete(job.id)
      thread.send({ type: 'abandon', id: job.id })
      this.restart(job)
    }
  }

  private endFor(thread: PoolThread, job: Job, error: Problem): void {
    thread.begun.delete(job.id)
    this.queues.charge(job, thread.runningMs)
    job.settle({ error })
    this.end(thread)
  }

  private refuse(thread: PoolThread, job: Job, error: unknown): void {
    thread.begun.delete(job.id)
    thread.send({ type: 'abandon', id: job.id })
    job.asking.abort(new RegistryUnreachable('the test was given up'))
    job.settle({ error })
  }

  private abandon(job: Job, reason: unknown): void {
    if (this.queues.remove(job)) job.settle({ error: reason })
    for (const thread of this.running) if (thread.begun.has(job.id)) this.refuse(thread, job, reason)
    this.dispatch()
  }
}
