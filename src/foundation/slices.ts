/** Milliseconds for which a serving process may be blocked. */
const SLICE_MS = 8

const waiting: (() => void)[] = []

/** Returns a function that yields when a slice of long work is used up; await it between steps. */
export function createSlices(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < SLICE_MS) return undefined
    return takeTurn().then(() => {
      begun = performance.now()
    })
  }
}

/** Runs `work` for each item of a long list and yields in between. */
export async function forEachInSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const pause = createSlices()
  for (const item of items) {
    const pausing = pause()
    if (pausing) await pausing
    work(item)
  }
}

/** Items sorted before other work runs: comparing long texts takes a microsecond. */
const RUN = 1000

/** Returns the items in order, equal ones in their original order; other work runs in between. */
export async function sortInSlices<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const pause = createSlices()
  let runs: T[][] = []
  for (let at = 0; at < items.length; at += RUN) {
    await pause()
    runs.push(items.slice(at, at + RUN).sort(compare))
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at]!, runs[at + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<T>(first: readonly T[], second: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const pause = createSlices()
  const merged: T[] = []
  for (let [a, b] = [0, 0]; a < first.length || b < second.length; ) {
    if (merged.length % RUN === 0) await pause()
    const isFirst = b === second.length || (a < first.length && compare(first[a]!, second[b]!) <= 0)
    merged.push(isFirst ? first[a++]! : second[b++]!)
  }
  return merged
}

/** Takes a turn: all long work together runs one slice per turn of the event loop, since slices would add up. */
function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(passTurn)
  })
}

function passTurn(): void {
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(passTurn)
}
