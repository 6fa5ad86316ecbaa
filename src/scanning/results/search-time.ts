import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { Registries, RegistryKind } from '#analysis/registries/registries.ts'
import { answerQuestion, type RegistryQuestion, remoteRegistries } from '../registries/remote-registries.ts'

/**
 * Time limit for optional registry questions, after a project was read. The answer lacks whatever did not arrive in
 * time.
 */
export interface SearchTime {
  /** The same registries, which reject every question once the time is over. */
  readonly registries: Registries
  isOver(): boolean
  end(): void
}

/** Creates the time limits of one thread's tests. */
export interface SearchTimes {
  /** True if optional questions are never asked. */
  readonly isOff: boolean
  /** Starts a time limit; calls `resume` before its end continues the test. */
  start(registries: Registries, resume?: () => void): SearchTime
}

/** If the first answer does not arrive within one part in this many of the time, the test stops waiting. */
const FIRST_ANSWER_SHARE = 4
/** After a search without any answer, tests skip the search for this long: offline, each would wait in vain. */
const PAUSE_MS = 10 * 60_000

export function createSearchTimes(seconds: number, now: () => number): SearchTimes {
  const pausedUntil = new Map<RegistryKind, number>()
  return {
    isOff: seconds <= 0,
    start(registries, resume = () => {}) {
      let isOver = seconds <= 0
      let timer: NodeJS.Timeout | undefined
      const started = new Set<RegistryKind>()
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
        if (started.size === 0) begin()
        started.add(registry)
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
          for (const registry of started) {
            if (mayPause(registry) && !answered.has(registry)) pausedUntil.set(registry, now() + PAUSE_MS)
          }
        },
      }
    },
  }
}

/** Returns false for licenses: they decide whether a policy objects, so every test asks for them. */
function mayPause(registry: RegistryKind): boolean {
  return registry !== 'licenses'
}

function tooLong(): RegistryUnreachable {
  return new RegistryUnreachable('the registry took too long')
}
