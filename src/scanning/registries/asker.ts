import { AsyncLocalStorage } from 'node:async_hooks'

/** For whom registries are asked. */
export interface Asker {
  /** Aborts when the asker no longer waits for the answer. */
  readonly signal: AbortSignal
  /** Organizations share the places for requests. */
  readonly org: string
}

/** Readers of registries take what they ask for and nothing else, so that the asker is known beside. */
const askers = new AsyncLocalStorage<Asker>()

export function askingFor<T>(asker: Asker, ask: () => Promise<T>): Promise<T> {
  return askers.run(asker, ask)
}

/** Undefined outside of `askingFor`. */
export function findAsker(): Asker | undefined {
  return askers.getStore()
}
