import { Worker } from 'node:worker_threads'
import type { TestTask } from '../reading/task.ts'
import type { Party } from './fair-queue.ts'
import type { FromThread, ToThread, Urgency } from './messages.ts'
import type { JobAnswer, ReadFiles, TreeTask } from './tree-task.ts'

/** One test, from its request until its answer. */
export interface Job {
  readonly id: number
  readonly task: TestTask | TreeTask
  /** Reads files of the tree that the task is about. */
  readonly read: ReadFiles | undefined
  readonly party: Party
  readonly urgency: Urgency
  /** Characters of the files, or the weight of the graph. */
  readonly characters: number
  /** When the test began to wait for a thread, in epoch milliseconds. */
  queuedAt: number
  /** Processor time used so far. */
  usedMs: number
  /** Number of open questions to registries, when the first of them began, and how long earlier ones took. */
  questions: number
  askedAt: number
  waitedMs: number
  /** Aborts the test's questions to registries. */
  asking: AbortController
  /** True if the test must run alone, such as after its thread died. */
  isAlone: boolean
  /** Number of restarts because of other tests. */
  restarts: number
  settle(outcome: { answer: JobAnswer } | { error: unknown }): void
}

export interface ThreadSettings {
  /** The module that the thread runs; it calls `serveTests`. */
  readonly program: URL
  readonly memoryMb: number
  readonly searchSeconds: number
  receive(thread: PoolThread, message: FromThread): void
  lose(thread: PoolThread, error: unknown): void
}

/** A test thread as the main thread sees it. */
export interface PoolThread {
  /** Tests begun and not yet answered, by id. */
  readonly begun: Map<number, Job>
  /** True while the thread loads its program and accepts no test. */
  readonly isLoading: boolean
  /** True while it computes; otherwise all its tests wait for registries. */
  readonly isComputing: boolean
  /** Epoch milliseconds. */
  readonly computingSince: number
  /** When it last finished computing, in epoch milliseconds. */
  readonly idleSince: number
  /** Id of the test that it is computing; 0 for none. */
  readonly currentId: number
  /** Processor time of the computation under way, as of the last sample. */
  readonly runningMs: number
  /** When the unanswered request for a sample was sent, in epoch milliseconds; native code delays the answer. */
  readonly silentSince: number | undefined
  send(message: ToThread): void
  /** Asks for the thread's processor time; the answer arrives even while the thread computes. */
  sample(): void
  terminate(): Promise<unknown>
}

export function startPoolThread({ program, receive, lose, memoryMb, searchSeconds }: ThreadSettings): PoolThread {
  const current = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(program, {
    workerData: { current, memoryMb, searchSeconds },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  let isLoading = true
  let sent = 0
  let handled = 0
  let computingSince = 0
  let idleSince = Date.now()
  let [reportedCpuMs, sampledCpuMs] = [0, 0]
  let silentSince: number | undefined

  const thread: PoolThread = {
    begun: new Map(),
    get isLoading() {
      return isLoading
    },
    get isComputing() {
      return handled < sent
    },
    get computingSince() {
      return computingSince
    },
    get idleSince() {
      return idleSince
    },
    get currentId() {
      return Atomics.load(current, 0)
    },
    get runningMs() {
      return Math.max(0, sampledCpuMs - reportedCpuMs)
    },
    get silentSince() {
      return silentSince
    },
    send(message) {
      if (message.type !== 'snapshot' && message.type !== 'abandon') {
        if (handled === sent) computingSince = Date.now()
        sent++
      }
      worker.postMessage(message)
    },
    sample() {
      if (silentSince !== undefined) return
      silentSince = Date.now()
      // Node.js before 24.6 cannot report this: the elapsed time is the upper bound.
      if (worker.cpuUsage === undefined) {
        sampledCpuMs = reportedCpuMs + silentSince - computingSince
        silentSince = undefined
        return
      }
      worker.cpuUsage().then(
        ({ user, system }) => {
          sampledCpuMs = (user + system) / 1000
          silentSince = undefined
        },
        () => {},
      )
    },
    terminate: () => worker.terminate(),
  }

  worker.on('message', (message: FromThread) => {
    isLoading = false
    if ('progress' in message) {
      handled = message.progress.handled
      reportedCpuMs = message.progress.cpuMs
      if (handled < sent) computingSince = Date.now()
      else idleSince = Date.now()
    }
    receive(thread, message)
  })
  worker.on('error', (error) => lose(thread, error))
  worker.on('exit', () => lose(thread, new Error('a test thread ended')))
  return thread
}
