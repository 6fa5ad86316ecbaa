import { performance } from 'node:perf_hooks'
import { collectGarbage } from '#foundation/collect-garbage.ts'

const EVERY_MS = 1000
/** Idle if the event loop worked for less than this share since the last check. */
const IDLE_SHARE = 0.1
const MAX_LOOKS = 60

interface Watched {
  /** The share of the time since the last call in which the event loop worked. */
  readUtilization(): number
  collect(): void
}

/**
 * Returns the memory of program loading, some 40 MB, once the server is idle: the collection takes 40 ms of the main
 * thread without delaying requests. A server busy for a minute collects its garbage anyway.
 */
export function returnMemoryWhenIdle({ readUtilization, collect }: Watched = ofThisProcess()): void {
  let looks = 0
  const timer = setInterval(() => {
    const isIdle = readUtilization() < IDLE_SHARE
    if (isIdle || ++looks === MAX_LOOKS) clearInterval(timer)
    if (isIdle) collect()
  }, EVERY_MS)
  timer.unref()
}

function ofThisProcess(): Watched {
  let before = performance.eventLoopUtilization()
  return {
    readUtilization() {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      return utilization
    },
    collect: collectGarbage,
  }
}
