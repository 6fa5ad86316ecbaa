import { setImmediate as nextTurn } from 'node:timers/promises'

/** A process that also serves is not to be held up for longer than this. */
const SLICE_MS = 8

/** Lets others run when a piece of long work took long enough: to be awaited between its steps. */
export function createSlices(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < SLICE_MS) return undefined
    return nextTurn().then(() => {
      begun = performance.now()
    })
  }
}

/** Runs `work` for each item of a long list, and lets others run in between. */
export async function forEachInSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const pause = createSlices()
  for (const item of items) {
    const pausing = pause()
    if (pausing) await pausing
    work(item)
  }
}
