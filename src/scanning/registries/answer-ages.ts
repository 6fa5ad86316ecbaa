import { AsyncLocalStorage } from 'node:async_hooks'

/** An answer of a registry that had to do although it is older than wanted. */
export interface StaleAnswer {
  /** When the registry last gave or confirmed it, in epoch milliseconds. */
  readonly validatedAt: number
  /** The reason for which it could not be refreshed. */
  readonly because: string
}

/** A value that a reader made of answers, with how old those were. */
export interface AgedValue<T> {
  readonly value: T
  readonly stale: readonly StaleAnswer[]
  /** Until when it is as good as asking again, in epoch milliseconds; undefined when no registry had a part in it. */
  readonly freshUntil: number | undefined
}

/** The age of one answer. */
export interface AnswerAge {
  readonly validatedAt: number
  readonly staleBecause: string | undefined
  readonly freshUntil: number
}

interface Collected {
  readonly stale: StaleAnswer[]
  freshUntil: number | undefined
}

/** Readers answer with values only; who asks them learns of the answers' ages beside. */
const collecting = new AsyncLocalStorage<Collected>()

/** Runs what asks registries, and tells how old their answers were. */
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
