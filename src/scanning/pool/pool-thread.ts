import { Worker } from 'node:worker_threads'
import type { TestTask } from '../reading/task.ts'
import type { TestAnswer } from '../results/answer.ts'
import type { Party } from './fair-queue.ts'
import type { FromThread, ToThread, Urgency } from './messages.ts'

/** One test, from the moment it is asked for until it is answered. */
export interface Job {
  readonly id: number
  readonly task: TestTask
  readonly party: Party
  readonly urgency: Urgency
  /** Characters of the files, or the weight of the graph. */
  readonly characters: number
  /** When it began to wait for a thread, in epoch milliseconds. */
  queuedAt: number
  /** Processor time used so far. */
  usedMs: number
  /** Questions to registries that are under way, since when there are any, and how long there were before. */
  questions: number
  askedAt: number
  waitedMs: number
  /** Aborts its questions to registries. */
  asking: AbortController
  /** Runs alone: the thread that it ran in was lost before. */
  isAlone: boolean
  /** Times that it was begun again for the sake of others. */
  restarts: number
  settle(outcome: { answer: TestAnswer } | { error: unknown }): void
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
  /** Tests begun and not answered, by id. */
  readonly begun: Map<number, Job>
  /** True while it loads its program and takes no test. */
  readonly isLoading: boolean
  /** True with unfinished computation; otherwise all its tests wait for registries. */
  readonly isComputing: boolean
  /** Epoch milliseconds. */
  readonly computingSince: number
  /** Since when it has nothing to compute, in epoch milliseconds. */
  readonly idleSince: number
  /** Id of the test that it computes at this moment; 0 for none. */
  readonly currentId: number
  /** Processor time of the computation under way, as of the last sample. */
  readonly runningMs: number
  /** Since when the thread owes a sample, in epoch milliseconds: in native code it cannot answer. */
  readonly silentSince: number | undefined
  send(message: ToThread): void
  /** Asks how much processor time the thread used, also while it computes. */
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
      // Node before 24.6 does not tell: the time that passed is the upper bound.
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
