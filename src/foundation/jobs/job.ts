import type { Services } from '../services.ts'

/** A kind of background work. `run` must be idempotent: a job whose process dies starts again elsewhere. */
export interface JobKind<Payload extends object = object> {
  readonly name: string
  /** Attempts after which a failing job is kept as `failed`. */
  readonly maxAttempts: number
  /** Minutes between scheduled runs; undefined for work on request. */
  readonly everyMinutes?: number
  /** Organizations take turns in the kind's own slots; otherwise jobs share a few slots with other kinds. */
  readonly fair?: FairShare
  run(payload: Payload, context: JobContext): Promise<void>
}

export interface FairShare {
  /** Concurrent jobs per process. */
  readonly perProcess: number
  /** Concurrent jobs per organization over all processes; two simultaneous claims may exceed it by one. */
  readonly perOrg: number
}

export interface JobContext {
  readonly log: Services['log']
  /** Counted from 1, including attempts that ended with their process. */
  readonly attempt: number
  /** Aborts when the server stops or the lease is lost. */
  readonly signal: AbortSignal
}

export function defineJob<Payload extends object>(kind: JobKind<Payload>): JobKind {
  return kind as unknown as JobKind
}
