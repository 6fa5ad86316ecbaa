import type { ThreadProgress } from './messages.ts'

/** Attributes a thread's processor time to the tests that it computes in turn. */
export interface CpuShares {
  /** Attributes the time from now on to this test. */
  enter(testId: number): void
  /** Attributes the time from now on to no test. */
  leave(): void
  /** Returns the time used since the last call. */
  report(): Omit<ThreadProgress, 'handled'>
}

/** `current` shows other threads which test is computed; `now` is the thread's processor time in milliseconds. */
export function createCpuShares(current: Int32Array, now: () => number): CpuShares {
  const used = new Map<number, number>()
  let since = now()
  let testId = 0

  function settle(): number {
    const at = now()
    if (testId !== 0) used.set(testId, (used.get(testId) ?? 0) + at - since)
    since = at
    return at
  }

  function enter(next: number): void {
    settle()
    testId = next
    Atomics.store(current, 0, next)
  }

  return {
    enter,
    leave: () => enter(0),
    report() {
      const cpuMs = settle()
      const shares = [...used]
      used.clear()
      return { cpuMs, used: shares }
    },
  }
}
