import { AsyncLocalStorage } from 'node:async_hooks'

/** A registry answer that was used although it is stale. */
export interface StaleAnswer {
  /** When the registry last gave or confirmed it, in epoch milliseconds. */
  readonly validatedAt: number
  /** The reason why the answer could not be refreshed. */
  readonly because: string
}

/** A value that a reader derived from registry answers, with their ages. */
export interface AgedValue<T> {
  readonly value: T
  readonly stale: readonly StaleAnswer[]
  /**
   * End of the time in which asking again would return the same, in epoch milliseconds; undefined without registry
   * answers.
   */
  readonly freshUntil: number | undefined
}

/** The age of one registry answer. */
export interface AnswerAge {
  readonly validatedAt: number
  readonly staleBecause: string | undefined
  readonly freshUntil: number
}

interface Collected {
  readonly stale: StaleAnswer[]
  freshUntil: number | undefined
}

/** Readers return values only, so that the ages of the answers reach the caller through the asynchronous context. */
const collecting = new AsyncLocalStorage<Collected>()

/** Runs `ask` and returns its value with the ages of the registry answers that it used. */
export async function withAges<T>(ask: () => Promise<T>): Promise<AgedValue<T>> {
  const collected: Collected = { stale: [], freshUntil: undefined }
  const value = await collecting.run(collected, ask)
  return { value, ...collected }
}

/** Records an answer's age in the asynchronous context of each waiting caller: several may share one query. */
export function noteAge({ validatedAt, staleBecause, freshUntil }: AnswerAge): void {
  const collected = collecting.getStore()
  if (collected === undefined) return
  if (staleBecause !== undefined) collected.stale.push({ validatedAt, because: staleBecause })
  collected.freshUntil = Math.min(collected.freshUntil ?? freshUntil, freshUntil)
}
