import { sizeOf } from '../reading/dep-graph-request.ts'
import { charactersOfUnparsed, MAX_BYTES_PER_CHARACTER } from '../reading/memory-need.ts'
import type { Subject } from '../reading/task.ts'
import type { Job, PoolThread } from './pool-thread.ts'

/** Limit on the tests that one thread has begun: while some wait for registries, it computes others. */
const MAX_BEGUN = 16
/** Limits on the tests of one organization, and on background tests. */
const MAX_BEGUN_BY_ORG = 8
const MAX_BEGUN_IN_BACKGROUND = 6
/**
 * Extra threads beyond one per core, for organizations that have no test under way; the operating system shares the
 * cores.
 */
const SPARE_THREADS = 1
/**
 * Tests with more characters take hundreds of megabytes each, so that few of them run at a time, however many threads
 * there are: those of one organization, and those of all, have at most this many characters together. A single test
 * may have more.
 */
export const LARGE_CHARACTERS = 4 * 1024 * 1024
const MAX_LARGE_BY_ORG = 32 * 1024 * 1024
const MAX_LARGE = 64 * 1024 * 1024
/** A test waits this long for one of the others first, while each computes the same thing. */
const SPARE_AFTER_MS = 50

export interface Places {
  readonly size: number
  /** Limit on threads with background tests. */
  readonly backgroundSize: number
  readonly memoryMb: number
}

/**
 * Chooses the thread for a test: an idle one, or one whose tests all wait for registries; `new` when a further thread
 * would help. The test is not bound to a new one, as another may be free before it has loaded.
 */
export function choosePlace(
  job: Job,
  threads: ReadonlySet<PoolThread>,
  { size, backgroundSize, memoryMb }: Places,
): PoolThread | 'new' | undefined {
  const all = [...threads]
  if (!hasMemory(job, all)) return undefined
  const used = all.filter(hasBackground)
  const isFull = job.urgency === 'background' && used.length >= backgroundSize
  const maySpare = job.urgency === 'interactive' && (job.isAlone || isFirstOfOrg(job, all))
  // While every core has a computation, only an organization without one may add one.
  if (!maySpare && all.filter(({ isComputing }) => isComputing).length >= size) return undefined
  const free = (isFull ? used : all).filter((thread) => isFree(thread) && hasRoom(thread, job, memoryMb))
  const idle = free.find(({ begun }) => begun.size === 0)
  if (idle) return idle
  if (!isFull && all.length < size) return 'new'
  if (free.length > 0) return free.sort((a, b) => a.begun.size - b.begun.size)[0]
  const now = Date.now()
  const isLate = job.queuedAt <= now - SPARE_AFTER_MS && all.every((thread) => isFree(thread) || isBlocked(thread, now))
  return maySpare && isLate && all.length < size + SPARE_THREADS ? 'new' : undefined
}

function isFree({ isLoading, isComputing }: PoolThread): boolean {
  return !isLoading && !isComputing
}

/** Returns true if a thread has been computing one test for too long. */
export function isBlocked({ isLoading, isComputing, computingSince }: PoolThread, now: number): boolean {
  return !isLoading && isComputing && computingSince <= now - SPARE_AFTER_MS
}

function isFirstOfOrg(job: Job, threads: readonly PoolThread[]): boolean {
  return !threads.some(({ begun }) =>
    [...begun.values()].some(({ party, urgency }) => party.org === job.party.org && urgency === 'interactive'),
  )
}

function hasMemory(job: Job, threads: readonly PoolThread[]): boolean {
  if (job.characters <= LARGE_CHARACTERS) return true
  const large = threads.flatMap(({ begun }) => [...begun.values()].filter(isLarge))
  const ofOrg = large.filter(({ party }) => party.org === job.party.org)
  const fits = (others: readonly Job[], most: number) =>
    others.length === 0 || others.reduce((sum, { characters }) => sum + characters, job.characters) <= most
  return fits(ofOrg, MAX_LARGE_BY_ORG) && fits(large, MAX_LARGE)
}

function isLarge({ characters }: Job): boolean {
  return characters > LARGE_CHARACTERS
}

function hasRoom({ begun }: PoolThread, job: Job, memoryMb: number): boolean {
  if (begun.size === 0) return true
  const all = [...begun.values(), job]
  if (all.length > MAX_BEGUN || all.some(({ isAlone }) => isAlone)) return false
  if (all.filter(({ party }) => party.org === job.party.org).length > MAX_BEGUN_BY_ORG) return false
  if (job.urgency === 'background' && begun.size >= MAX_BEGUN_IN_BACKGROUND) return false
  const characters = all.reduce((sum, job) => sum + job.characters, 0)
  return characters * MAX_BYTES_PER_CHARACTER <= memoryMb * 1024 * 1024
}

function hasBackground({ begun }: PoolThread): boolean {
  return [...begun.values()].some(({ urgency }) => urgency === 'background')
}

/** The weight of a node of a dependency graph, in characters of a file. */
const CHARACTERS_OF_NODE = 100

export function charactersOf(subject: Subject): number {
  if (subject.kind === 'package') return 0
  if (subject.kind === 'sent' || subject.kind === 'stored') return charactersOfUnparsed(subject)
  if (subject.kind === 'dep-graph') return sizeOf(subject.depGraph) * CHARACTERS_OF_NODE
  return subject.additional.reduce((sum, { length }) => sum + length, subject.target.length)
}
