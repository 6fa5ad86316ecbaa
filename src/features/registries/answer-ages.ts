import { AsyncLocalStorage } from 'node:async_hooks'

/** An answer of a registry that had to do although it is older than wanted. */
export interface StaleAnswer {
  /** When the registry last gave or confirmed it, in epoch milliseconds. */
  readonly validatedAt: number
  /** Why it could not be asked anew. */
  readonly because: string
}

/** Readers answer with values only; who asks them learns of old answers beside. */
const collecting = new AsyncLocalStorage<StaleAnswer[]>()

/** Runs what asks registries, and tells which of their answers were old. */
export async function withStaleAnswers<T>(ask: () => Promise<T>): Promise<{ value: T; stale: readonly StaleAnswer[] }> {
  const stale: StaleAnswer[] = []
  const value = await collecting.run(stale, ask)
  return { value, stale }
}

/** To be called by whoever waited for an answer, in its own asynchronous context: several may share one question. */
export function noteAge({
  validatedAt,
  staleBecause,
}: {
  validatedAt: number
  staleBecause: string | undefined
}): void {
  if (staleBecause !== undefined) collecting.getStore()?.push({ validatedAt, because: staleBecause })
}
