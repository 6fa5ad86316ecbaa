import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import { answerQuestion, type RegistryQuestion, remoteRegistries } from '#features/registries/remote-registries.ts'

/** Time for what is asked beyond the reading of a project: what is missing at its end is missing in the answer. */
export interface SearchTime {
  /** The same registries, which give no answer once the time is over. */
  readonly registries: Registries
  isOver(): boolean
  end(): void
}

/** Begins the searches of one thread's tests. */
export interface SearchTimes {
  /** Nothing is ever asked beyond the reading. */
  readonly isOff: boolean
  start(registries: Registries): SearchTime
}

/** Where no first answer comes in this part of the time, none is waited for. */
const FIRST_ANSWER_SHARE = 4
/** After a search that got no answer at all, tests do without for this long: offline, each would wait in vain. */
const PAUSE_MS = 10 * 60_000

export function createSearchTimes(seconds: number, now: () => number): SearchTimes {
  /** By registry. */
  const pausedUntil = new Map<string, number>()
  return {
    isOff: seconds <= 0,
    start(registries) {
      let isOver = seconds <= 0
      let timer: NodeJS.Timeout | undefined
      const asked = new Set<string>()
      const answered = new Set<string>()
      const waiting = new Set<() => void>()

      function stop(): void {
        isOver = true
        for (const giveUp of waiting) giveUp()
      }

      function begin(): void {
        const firstMs = (seconds * 1000) / FIRST_ANSWER_SHARE
        timer = setTimeout(() => {
          if (answered.size === 0) return stop()
          timer = setTimeout(stop, seconds * 1000 - firstMs)
        }, firstMs)
      }

      function ask(question: RegistryQuestion): Promise<unknown> {
        const place = placeOf(question)
        if (isOver || now() < (pausedUntil.get(place) ?? Number.NEGATIVE_INFINITY)) return Promise.reject(tooLong())
        if (asked.size === 0) begin()
        asked.add(place)
        return new Promise((resolve, reject) => {
          const giveUp = () => reject(tooLong())
          waiting.add(giveUp)
          answerQuestion(registries, question)
            .then((value) => {
              answered.add(place)
              resolve(value)
            }, reject)
            .finally(() => waiting.delete(giveUp))
        })
      }

      return {
        registries: remoteRegistries(ask),
        isOver: () => isOver,
        end() {
          clearTimeout(timer)
          isOver = true
          for (const place of asked) if (!answered.has(place)) pausedUntil.set(place, now() + PAUSE_MS)
        },
      }
    },
  }
}

/** Licences of all registries are asked of one reader. */
function placeOf({ registry, parameters }: RegistryQuestion): string {
  return registry === 'licences' ? `${registry} ${parameters[0]}` : registry
}

function tooLong(): RegistryUnreachable {
  return new RegistryUnreachable('the registry took too long')
}
