import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const AFTER_MS = 1000

/** Loading the program leaves some 40 MB of garbage, which V8 would keep until there is pressure; one collection returns it. */
export function returnMemorySoon(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as (options: object) => void
    // One tick has to be alive meanwhile: V8 forgets the shapes of which no object is left, and the code that makes ticks
    // would take its slow way ever after (measured 3 µs a request).
    process.nextTick(() => {})
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, AFTER_MS).unref()
}
