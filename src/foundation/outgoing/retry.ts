import { setTimeout as sleep } from 'node:timers/promises'
import { type FailureCode, OutgoingFailed } from './outgoing-errors.ts'
import type { OutgoingLimits } from './settings.ts'

const RETRIED_STATUSES: readonly number[] = [429, 502, 503, 504]
const RETRIED_FAILURES: readonly FailureCode[] = ['connect', 'connect-timeout', 'connection-lost']
/** Failures before a connection, as retries count them. */
const NOT_CONNECTED: readonly FailureCode[] = ['connect', 'connect-timeout', 'dns']

/** The end of one attempt: a value, an answer that calls for a retry, or an error. */
export type Outcome<T> = { readonly value: T; readonly status: number; readonly retryAfter: string | undefined }

export interface Retrying {
  readonly limits: OutgoingLimits
  readonly signal: AbortSignal
  /** Returns true if the effects of an attempt can be repeated. */
  isRepeatable(): boolean
}

/** Retries until an answer is final or no attempts are left; then returns the last answer or throws the last error. */
export async function withRetries<T>(
  { limits, signal, isRepeatable }: Retrying,
  attempt: () => Promise<Outcome<T>>,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    const isLast = tried >= limits.attempts
    const backOffMs = limits.backOffMs * 2 ** (tried - 1) * (0.5 + Math.random())
    try {
      const { value, status, retryAfter } = await attempt()
      if (isLast || !RETRIED_STATUSES.includes(status)) return value
      const waitMs = toWaitMs(retryAfter) ?? backOffMs
      if (waitMs > limits.maxRetryWaitMs) return value
      await sleep(waitMs, undefined, { signal })
    } catch (error) {
      if (isLast || tried >= mostAttempts(error, limits) || !isWorthRetrying(error) || !isRepeatable()) throw error
      await sleep(Math.min(backOffMs, limits.maxRetryWaitMs), undefined, { signal })
    }
  }
}

/** Parses Retry-After (RFC 9110 §10.2.3): seconds or a date. */
export function toWaitMs(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

function mostAttempts(error: unknown, { attempts, connectAttempts }: OutgoingLimits): number {
  return error instanceof OutgoingFailed && NOT_CONNECTED.includes(error.code) ? connectAttempts : attempts
}

function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof OutgoingFailed)) return false
  if (RETRIED_FAILURES.includes(error.code)) return true
  return (
    error.code === 'dns' && error.cause instanceof Error && 'code' in error.cause && error.cause.code === 'EAI_AGAIN'
  )
}
