import { createFairQueue } from './fair-queue.ts'
import type { Urgency } from './messages.ts'
import { overloaded } from './pool-problems.ts'
import type { Job } from './pool-thread.ts'

/** All organizations together may have this many times as many waiting tests as a single one. */
const ORGS_AT_BOUND = 4
/** Limits on the size of the files of waiting tests: of one organization, and of all together. */
const MAX_MB_OF_ORG = 64
const MAX_MB = 128
const LONGEST_RETRY_AFTER_SECONDS = 60

export interface QueueSettings {
  /** Number of tests that run at a time. */
  readonly size: number
  /** Limit on the waiting tests of one organization. */
  readonly maxWaiting: number
}

/** Tests waiting for a thread: interactive ones first, in fair order. */
export interface TestQueues {
  /** Number of waiting interactive tests. */
  readonly waiting: number
  /** Number of waiting tests. */
  readonly size: number
  /** Throws `unavailable` if too many tests are waiting. */
  add(job: Job): void
  /** Puts a restarted test ahead of the others of its party. */
  addAgain(job: Job): void
  remove(job: Job): boolean
  take(fits: (job: Job) => boolean): Job | undefined
  charge(job: Job, ms: number): void
  interactive(): Job[]
  /** Estimates the seconds until the tests that now wait have begun. */
  retryAfterSeconds(): number
  /** Removes and returns all tests. */
  drain(): Job[]
}

export function createTestQueues({ size, maxWaiting }: QueueSettings): TestQueues {
  const queues = { interactive: createFairQueue<Job>(), background: createFairQueue<Job>() }
  let meanMs = 10

  const queueOf = ({ urgency }: { readonly urgency: Urgency }) => queues[urgency]

  function retryAfterSeconds(): number {
    const seconds = Math.ceil((queues.interactive.size * meanMs) / size / 1000)
    return Math.min(LONGEST_RETRY_AFTER_SECONDS, Math.max(1, seconds))
  }

  function refuseOverload({ party, characters }: Job): void {
    const { interactive } = queues
    const waiting = interactive.items()
    const ofOrg = waiting.filter((job) => job.party.org === party.org)
    const megabytesOf = (jobs: readonly Job[]) =>
      Math.round(jobs.reduce((sum, job) => sum + job.characters, characters) / 1024 / 1024)
    const refuse = (detail: string) => {
      throw overloaded(retryAfterSeconds(), detail)
    }
    if (ofOrg.length >= maxWaiting) refuse(`${ofOrg.length} tests of this organization wait already`)
    if (waiting.length >= maxWaiting * ORGS_AT_BOUND)
      refuse(`The server is overloaded: ${waiting.length} tests wait already`)
    if (ofOrg.length > 0 && megabytesOf(ofOrg) > MAX_MB_OF_ORG)
      refuse(`The files of this organization's tests that wait already exceed ${MAX_MB_OF_ORG} MB`)
    if (waiting.length > 0 && megabytesOf(waiting) > MAX_MB)
      refuse(`The server is overloaded: the files of the tests that wait already exceed ${MAX_MB} MB`)
  }

  return {
    get waiting() {
      return queues.interactive.size
    },
    get size() {
      return queues.interactive.size + queues.background.size
    },
    add(job) {
      if (job.urgency === 'interactive') refuseOverload(job)
      queueOf(job).add(job, job.party, 'last')
    },
    addAgain: (job) => queueOf(job).add(job, job.party, 'first'),
    remove: (job) => queueOf(job).remove(job, job.party),
    take(fits) {
      return queues.interactive.take(fits) ?? queues.background.take(fits)
    },
    charge(job, ms) {
      meanMs += (ms - meanMs) / 50
      queueOf(job).charge(job.party, ms)
    },
    interactive: () => queues.interactive.items(),
    retryAfterSeconds,
    drain() {
      const all = [...queues.interactive.items(), ...queues.background.items()]
      for (const job of all) queueOf(job).remove(job, job.party)
      return all
    },
  }
}
