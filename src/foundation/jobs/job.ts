import type { Services } from '../services.ts'

/** A kind of background work. `run` must be safe to run again: a job whose process dies starts anew elsewhere. */
export interface JobKind<Payload extends object = object> {
  readonly name: string
  /** After this many attempts a failing job is given up and kept as `failed`. */
  readonly maxAttempts: number
  /** Minutes between runs that the server schedules by itself; undefined for work that is asked for. */
  readonly everyMinutes?: number
  /** Organisations take turns, and the kind has slots of its own; without it, jobs share a few slots with other kinds. */
  readonly fair?: FairShare
  run(payload: Payload, context: JobContext): Promise<void>
}

export interface FairShare {
  /** How many of them one process runs at once. */
  readonly perProcess: number
  /** How many of one organisation run at once, in all processes; two that claim at the same moment may both find room. */
  readonly perOrg: number
}

export interface JobContext {
  readonly log: Services['log']
  /** Counted from 1: also attempts that ended with their process. */
  readonly attempt: number
  /** Aborts when the server stops or the lease was lost. */
  readonly signal: AbortSignal
}

export function defineJob<Payload extends object>(kind: JobKind<Payload>): JobKind {
  return kind as unknown as JobKind
}
