import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { collectGarbage } from '#foundation/collect-garbage.ts'

const EVERY_MS = 1000
/** Share of the time since the last check below which the event loop counts as idle. */
const IDLE_SHARE = 0.1
/** Minimum growth in bytes since the last collection. */
const GROWTH_BYTES = 64 * 1024 * 1024

interface Watched {
  /** The share of the time since the last call in which the event loop worked. */
  readUtilization(): number
  /** Returns the bytes of the heap and of its external memory. */
  readSize(): number
  collect(): void
}

/**
 * Returns memory to the system whenever the server is idle: first that of program loading, some 40 MB, later that of
 * load peaks. A collection blocks the main thread for 40 ms, so small growth stays.
 */
export function returnMemoryWhenIdle({ readUtilization, readSize, collect }: Watched = ofThisProcess()): void {
  let sizeAfter = Number.NEGATIVE_INFINITY
  setInterval(() => {
    const isIdle = readUtilization() < IDLE_SHARE
    if (!isIdle || readSize() - sizeAfter < GROWTH_BYTES) return
    collect()
    sizeAfter = readSize()
  }, EVERY_MS).unref()
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
    readSize() {
      const { total_heap_size: heap, external_memory: external } = getHeapStatistics()
      return heap + external
    },
    collect: collectGarbage,
  }
}
