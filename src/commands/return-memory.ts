import { collectGarbage } from '#foundation/collect-garbage.ts'

const AFTER_MS = 1000

/** Loading the program leaves some 40 MB of garbage; one collection returns it. */
export function returnMemorySoon(): void {
  setTimeout(collectGarbage, AFTER_MS).unref()
}
