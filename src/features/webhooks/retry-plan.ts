const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Waits after the first, second … attempt; the last one repeats. With the last attempt they add up to a day. */
const WAITS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR]

/** Maximum wait that a receiver may request. */
const MAX_RETRY_AFTER_MS = HOUR
const MAX_REST_MS = MINUTE

interface Failure {
  /** Number of attempts, including this one. */
  readonly attempts: number
  readonly now: number
  readonly givesUpAt: number
  /** The receiver's Retry-After. */
  readonly retryAfterMs: number | undefined
}

/** Returns the time of the next attempt; undefined if the delivery is given up. `random` is from 0 to 1. */
export function nextDueAt({ attempts, now, givesUpAt, retryAfterMs = 0 }: Failure, random: number): number | undefined {
  if (now >= givesUpAt) return undefined
  const wait = WAITS_MS[Math.min(attempts, WAITS_MS.length) - 1] ?? 0
  const spread = Math.round(wait * (0.8 + 0.4 * random))
  // The last attempt is made when the time is over, not earlier.
  return Math.min(now + Math.max(spread, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)), givesUpAt)
}

/**
 * Returns the pause after consecutive failures: a failing webhook gets one attempt per minute, however many deliveries
 * are pending, so that it does not occupy a sender.
 */
export function restMs(failures: number, retryAfterMs = 0): number {
  const rest = Math.min(MAX_REST_MS, SECOND * 2 ** Math.min(failures, 10))
  return Math.max(rest, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))
}
