import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import type { SharedSnapshot } from '#features/advisories/snapshot-file.ts'
import { withStaleAnswers } from '#features/registries/answer-ages.ts'
import { answerQuestion, type RegistryQuestion } from '#features/registries/remote-registries.ts'
import { Problem } from '#foundation/problem.ts'
import { sizeOf } from './dep-graph-request.ts'
import { MAX_BYTES_PER_CHARACTER } from './memory-need.ts'
import type { FromThread, Subject, TestAnswer, TestTask, ToThread, Urgency } from './messages.ts'

/** Tests that one thread may have begun: those that wait for a registry leave room for others. */
const MAX_BEGUN = 8
/** Of those, what is left for tests that somebody waits for. */
const KEPT_FREE = 2
const PULSE_EVERY_MS = 250
/** Of the time of a test no more than this part is spent on what it could do without. */
const SEARCH_SHARE = 3
/** A thread without a sign of life for this long is stuck in one computation. */
const STUCK_AFTER_MS = 10_000
/** The same, where a test is over its time already. */
const STUCK_AND_LATE_AFTER_MS = 1_000

export interface PoolSettings {
  /** 0 means one per core. */
  readonly threads: number
  readonly timeoutSeconds: number
  readonly memoryMb: number
  /** Of the time of a test, what proving upgrades and asking for licences may take; 0 for nothing of either. */
  readonly searchSeconds: number
  /** Of the threads, how many percent tests in the background may use at once; one in any case. */
  readonly backgroundPercent: number
  /** Told of what goes wrong where no test can be told of it. */
  onError?(error: unknown): void
}

export interface RunOptions {
  /** Default: interactive. */
  readonly urgency?: Urgency
  /** Gives the test up; what was begun ends as soon as it asks for something. */
  readonly signal?: AbortSignal | undefined
}

/** Threads that read what strangers send, with bounds on time and memory; they start with the first test. */
export interface TestPool {
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

interface Job {
  readonly id: number
  readonly task: TestTask
  readonly urgency: Urgency
  /** Of a test in the background the time runs from its beginning. */
  deadline: number
  /** Runs alone: perhaps it was what ended the thread it ran in. */
  isRetry: boolean
  settle(outcome: { answer: TestAnswer } | { error: unknown }): void
}

interface Thread {
  readonly worker: Worker
  readonly begun: Map<number, Job>
  /** Counts up while the thread's event loop turns. */
  readonly pulse: Int32Array
  lastPulse: number
  lastPulseAt: number
}

export function createTestPool(settings: PoolSettings, registries: Registries): TestPool {
  const size = settings.threads === 0 ? availableParallelism() : settings.threads
  const backgroundSize = Math.max(1, Math.floor((size * settings.backgroundPercent) / 100))
  const timeoutMs = settings.timeoutSeconds * 1000
  const threads = new Set<Thread>()
  const queues: Readonly<Record<Urgency, Job[]>> = { interactive: [], background: [] }
  let snapshot: SharedSnapshot | undefined
  let lastId = 0
  let closed = false
  const watch = setInterval(watchThreads, 500)
  watch.unref()

  function send(thread: Thread, message: ToThread): void {
    thread.worker.postMessage(message)
  }

  function startThread(): Thread {
    const pulse = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: {
        pulse,
        pulseEveryMs: PULSE_EVERY_MS,
        memoryMb: settings.memoryMb,
        searchSeconds: Math.min(settings.searchSeconds, settings.timeoutSeconds / SEARCH_SHARE),
      },
      resourceLimits: { maxOldGenerationSizeMb: settings.memoryMb },
    })
    const thread: Thread = { worker, begun: new Map(), pulse, lastPulse: 0, lastPulseAt: Date.now() }
    worker.on('message', (message: FromThread) => void receive(thread, message))
    worker.on('error', (error) => lose(thread, error))
    worker.on('exit', () => lose(thread, new Error('a test thread ended')))
    if (snapshot) send(thread, { type: 'snapshot', snapshot })
    threads.add(thread)
    return thread
  }

  function dispatch(): void {
    for (const urgency of ['interactive', 'background'] as const) {
      const queue = queues[urgency]
      for (let next = queue[0]; next !== undefined; next = queue[0]) {
        const thread = findThread(next)
        if (!thread) break
        begin(queue.shift()!, thread)
      }
      // What somebody waits for is not overtaken.
      if (queue.length > 0) return
    }
  }

  function begin(job: Job, thread: Thread): void {
    if (job.urgency === 'background') job.deadline = Date.now() + timeoutMs
    thread.begun.set(job.id, job)
    send(thread, { type: 'test', id: job.id, task: job.task })
  }

  function findThread(job: Job): Thread | undefined {
    const used = [...threads].filter(hasBackground)
    const isFull = job.urgency === 'background' && used.length >= backgroundSize
    const free = (isFull ? used : [...threads]).filter((thread) => hasRoom(thread, job))
    const idle = free.find(({ begun }) => begun.size === 0)
    if (idle) return idle
    if (threads.size < size && !isFull) return startThread()
    return free.sort((a, b) => a.begun.size - b.begun.size)[0]
  }

  function hasRoom({ begun }: Thread, job: Job): boolean {
    if (begun.size === 0) return true
    const all = [...begun.values(), job]
    const most = job.urgency === 'background' ? MAX_BEGUN - KEPT_FREE : MAX_BEGUN
    if (begun.size >= most || all.some(({ isRetry }) => isRetry)) return false
    const characters = all.reduce((sum, { task }) => sum + charactersOf(task.subject), 0)
    return characters * MAX_BYTES_PER_CHARACTER <= settings.memoryMb * 1024 * 1024
  }

  async function receive(thread: Thread, message: FromThread): Promise<void> {
    if (message.type === 'metadata-wanted') return answerMetadata(thread, message)
    const job = thread.begun.get(message.id)
    if (!job) return
    thread.begun.delete(message.id)
    job.settle(message.type === 'answer' ? { answer: message.answer } : { error: message.error })
    dispatch()
  }

  async function answerMetadata(
    thread: Thread,
    { id, question }: { id: number; question: RegistryQuestion },
  ): Promise<void> {
    try {
      const { value, stale } = await withStaleAnswers(() => answerQuestion(registries, question))
      send(thread, { type: 'metadata', id, answer: value, stale })
    } catch (error) {
      if (error instanceof RegistryUnreachable) {
        send(thread, { type: 'metadata-unreachable', id, reason: error.message })
        return
      }
      settings.onError?.(error)
      send(thread, { type: 'metadata-failed', id })
    }
  }

  /** A thread died, mostly of what one of its tests did to its memory: the others get a second chance, alone. */
  function lose(thread: Thread, error: unknown): void {
    if (!threads.delete(thread)) return
    for (const job of thread.begun.values()) retryOrRefuse(job, error)
    thread.begun.clear()
    if (!closed) dispatch()
  }

  function retryOrRefuse(job: Job, error: unknown): void {
    if (!closed && !job.isRetry && job.deadline > Date.now()) {
      job.isRetry = true
      queues[job.urgency].push(job)
      return
    }
    if (closed) {
      job.settle({ error: busy() })
      return
    }
    const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    const bound = isMemory
      ? `${settings.memoryMb} MB of memory (GATEHOUSE_TEST_MEMORY_MB)`
      : `${settings.timeoutSeconds} s (GATEHOUSE_TEST_SECONDS)`
    job.settle({ error: new Problem('test-too-expensive', `The test needed more than ${bound}`, { cause: error }) })
  }

  function watchThreads(): void {
    const now = Date.now()
    for (const thread of threads) {
      const beat = Atomics.load(thread.pulse, 0)
      if (beat !== thread.lastPulse) [thread.lastPulse, thread.lastPulseAt] = [beat, now]
      const late = [...thread.begun.values()].filter(({ deadline }) => deadline <= now)
      const silentMs = now - thread.lastPulseAt
      if (thread.begun.size > 0 && silentMs > (late.length > 0 ? STUCK_AND_LATE_AFTER_MS : STUCK_AFTER_MS)) {
        lose(thread, new Error('a test thread did not answer'))
        void thread.worker.terminate()
      } else if (silentMs === 0) {
        // Its event loop turns, so what is late only waits; else the thread has to go with it.
        for (const job of late) giveUp(thread, job)
      }
    }
    for (const job of queues.interactive.filter(({ deadline }) => deadline <= now)) {
      queues.interactive.splice(queues.interactive.indexOf(job), 1)
      job.settle({ error: busy() })
    }
  }

  function abandon(job: Job, reason: unknown): void {
    const queue = queues[job.urgency]
    if (queue.includes(job)) queue.splice(queue.indexOf(job), 1)
    for (const thread of threads) {
      if (thread.begun.delete(job.id)) send(thread, { type: 'abandon', id: job.id })
    }
    job.settle({ error: reason })
    dispatch()
  }

  function giveUp(thread: Thread, job: Job): void {
    thread.begun.delete(job.id)
    send(thread, { type: 'abandon', id: job.id })
    retryOrRefuse({ ...job, isRetry: true }, new Error('out of time'))
    dispatch()
  }

  return {
    get waiting() {
      return queues.interactive.length
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
      for (const thread of threads) send(thread, { type: 'snapshot', snapshot: next })
    },
    run(task, { urgency = 'interactive', signal } = {}) {
      if (closed) return Promise.reject(busy())
      if (signal?.aborted) return Promise.reject(signal.reason)
      return new Promise((resolve, reject) => {
        const end = () => abandon(job, signal!.reason)
        const job: Job = {
          id: ++lastId,
          task,
          urgency,
          deadline: Date.now() + timeoutMs,
          isRetry: false,
          settle(outcome) {
            signal?.removeEventListener('abort', end)
            if ('answer' in outcome) resolve(outcome.answer)
            else reject(outcome.error)
          },
        }
        signal?.addEventListener('abort', end)
        queues[urgency].push(job)
        dispatch()
      })
    },
    async close() {
      closed = true
      clearInterval(watch)
      for (const queue of Object.values(queues)) for (const job of queue.splice(0)) job.settle({ error: busy() })
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

/** What a place of a graph weighs, put into characters of a file. */
const CHARACTERS_OF_PLACE = 100

function hasBackground({ begun }: Thread): boolean {
  return [...begun.values()].some(({ urgency }) => urgency === 'background')
}

function charactersOf(subject: Subject): number {
  if (subject.kind === 'package') return 0
  if (subject.kind === 'dep-graph') return sizeOf(subject.depGraph) * CHARACTERS_OF_PLACE
  return subject.additional.reduce((sum, { length }) => sum + length, subject.target.length)
}

function busy(): Problem {
  return new Problem('unavailable', 'The server cannot begin this test now; repeat it shortly', {
    headers: { 'retry-after': '5' },
  })
}
