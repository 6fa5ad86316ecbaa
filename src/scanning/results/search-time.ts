import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { Registries, RegistryKind } from '#analysis/registries/registries.ts'
import { answerQuestion, type RegistryQuestion, remoteRegistries } from '../registries/remote-registries.ts'

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
  /** `resume` is called before the end of the time continues the test. */
  start(registries: Registries, resume?: () => void): SearchTime
}

/** If no first answer arrives within this part of the time, none is awaited. */
const FIRST_ANSWER_SHARE = 4
/** After a search that got no answer at all, tests do without for this long: offline, each would wait in vain. */
const PAUSE_MS = 10 * 60_000

export function createSearchTimes(seconds: number, now: () => number): SearchTimes {
  const pausedUntil = new Map<RegistryKind, number>()
  return {
    isOff: seconds <= 0,
    start(registries, resume = () => {}) {
      let isOver = seconds <= 0
      let timer: NodeJS.Timeout | undefined
      const asked = new Set<RegistryKind>()
      const answered = new Set<RegistryKind>()
      const waiting = new Set<() => void>()

      function stop(): void {
        resume()
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
        const { registry } = question
        if (isOver || now() < (pausedUntil.get(registry) ?? 0)) return Promise.reject(tooLong())
        if (asked.size === 0) begin()
        asked.add(registry)
        return new Promise((resolve, reject) => {
          const giveUp = () => reject(tooLong())
          waiting.add(giveUp)
          answerQuestion(registries, question)
            .then((value) => {
              answered.add(registry)
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
          for (const registry of asked) {
            if (mayPause(registry) && !answered.has(registry)) pausedUntil.set(registry, now() + PAUSE_MS)
          }
        },
      }
    },
  }
}

/** Proofs of upgrades are worth no waiting; whether a policy objects decides about a result, so it is asked every time. */
function mayPause(registry: RegistryKind): boolean {
  return registry !== 'licenses'
}

function tooLong(): RegistryUnreachable {
  return new RegistryUnreachable('the registry took too long')
}
