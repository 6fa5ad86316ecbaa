import type { Registries } from '#analysis/registries/registries.ts'
import { RecentMap } from '#foundation/recent-map.ts'
import { type AgedValue, withAges } from './answer-ages.ts'
import { answerQuestion, type RegistryQuestion } from './remote-registries.ts'

/** An answer for another thread: a registry document as JSON, which is cheaper to send and keep, or another value. */
export type PackedAnswer = Pick<AgedValue<unknown>, 'stale'> &
  ({ readonly json: string | undefined } | { readonly value: unknown })

/**
 * Caches answers of readers while a new query would return the same. The next test of a project with thousands of
 * packages then needs no database queries for them.
 */
export interface AnswerMemory {
  find(question: RegistryQuestion): PackedAnswer | undefined
  ask(question: RegistryQuestion): Promise<PackedAnswer>
}

export interface AnswerMemorySettings {
  readonly maxCharacters: number
  now(): number
}

interface Kept {
  readonly json: string | undefined
  readonly until: number
}

/** Weight of an entry without its texts. */
const OWN_WEIGHT = 200
const nothingStale = [] as const

export function createAnswerMemory(registries: Registries, { maxCharacters, now }: AnswerMemorySettings): AnswerMemory {
  const kept = new RecentMap<Kept>({ maxWeight: maxCharacters })

  function keep(key: string, json: string | undefined, until: number): void {
    if (until > now()) kept.set(key, { json, until }, OWN_WEIGHT + key.length + (json?.length ?? 0))
  }

  return {
    find(question) {
      const key = JSON.stringify(question)
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      if (entry.until <= now()) {
        kept.delete(key)
        return undefined
      }
      return { json: entry.json, stale: nothingStale }
    },

    async ask(question) {
      const { value, stale, freshUntil } = await withAges(() => answerQuestion(registries, question))
      if (freshUntil === undefined) return { value, stale }
      const json = value === undefined ? undefined : JSON.stringify(value)
      if (stale.length === 0) keep(JSON.stringify(question), json, freshUntil)
      return { json, stale }
    },
  }
}
