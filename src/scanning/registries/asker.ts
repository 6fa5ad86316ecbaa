import { AsyncLocalStorage } from 'node:async_hooks'

/** The test on whose behalf registries are asked. */
export interface Asker {
  /** Aborts when the asker no longer waits for the answer. */
  readonly signal: AbortSignal
  /** Organization of the test; organizations share the request slots fairly. */
  readonly org: string
}

/** Readers have no parameter for the asker, so that it is passed through the asynchronous context. */
const askers = new AsyncLocalStorage<Asker>()

export function askingFor<T>(asker: Asker, ask: () => Promise<T>): Promise<T> {
  return askers.run(asker, ask)
}

/** Undefined outside of `askingFor`. */
export function findAsker(): Asker | undefined {
  return askers.getStore()
}
