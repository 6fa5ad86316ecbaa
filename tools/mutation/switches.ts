/** The switches behind which all changes of the loaded sources wait. */
export interface Switches {
  /** Activates one mutant, or none for 0. A mutant that runs more often than `maxCalls` is stopped. */
  activate(id: number, maxCalls: number): void
  /** The number of calls since the last `activate`. */
  calls(): number
  /** True if the active mutant was stopped because it ran too often. */
  wasStopped(): boolean
  /** Returns the mutants that were reached since the last call. */
  takeReached(): number[]
}

/** Defines the functions that instrumented sources call. */
export function installSwitches(count: number): Switches {
  const reached = new Uint8Array(count + 1)
  let [active, calls, limit, isStopped] = [0, 0, Infinity, false]
  Object.assign(globalThis, {
    chosen: (value: unknown) => value,
    mutantIsActive(id: number) {
      reached[id] = 1
      if (++calls > limit) {
        isStopped = true
        throw new RangeError('The mutant runs without end.')
      }
      return id === active
    },
  })
  return {
    activate(id, maxCalls) {
      ;[active, calls, limit, isStopped] = [id, 0, maxCalls, false]
    },
    calls: () => calls,
    wasStopped: () => isStopped,
    takeReached() {
      const ids: number[] = []
      for (let id = 1; id <= count; id++) if (reached[id] !== 0) ids.push(id)
      reached.fill(0)
      return ids
    },
  }
}
