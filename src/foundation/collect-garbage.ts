import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects all garbage of this thread now and returns its memory to the system, which V8 would otherwise keep until
 * memory is scarce.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  // Keep one tick alive: V8 would drop its optimized shape and schedule all later ticks the slow way (measured 3 µs a
  // request).
  process.nextTick(() => {})
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Percentage by which a heap may grow between two collections of all garbage. */
const HEAP_GROWTH = 200

/**
 * Lets the heaps of all threads grow to three times what is in use before all garbage is collected. V8 chooses less for
 * heaps that grow slowly: it collected with every lockfile, because it counts buffers too (decision 0169).
 */
export function letHeapsGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`)
}
