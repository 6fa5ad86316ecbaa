import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import { answerQuestion, remoteRegistries } from '#features/registries/remote-registries.ts'

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
  let pausedUntil = Number.NEGATIVE_INFINITY
  return {
    isOff: seconds <= 0,
    start(registries) {
      let isOver = seconds <= 0 || now() < pausedUntil
      let timer: NodeJS.Timeout | undefined
      const counts = { asked: 0, answered: 0 }
      const waiting = new Set<() => void>()

      function stop(): void {
        isOver = true
        for (const giveUp of waiting) giveUp()
      }

      function begin(): void {
        const firstMs = (seconds * 1000) / FIRST_ANSWER_SHARE
        timer = setTimeout(() => {
          if (counts.answered === 0) return stop()
          timer = setTimeout(stop, seconds * 1000 - firstMs)
        }, firstMs)
      }

      function bounded(answer: Promise<unknown>): Promise<unknown> {
        if (counts.asked++ === 0) begin()
        return new Promise((resolve, reject) => {
          const giveUp = () => reject(tooLong())
          waiting.add(giveUp)
          answer
            .then((value) => {
              counts.answered++
              resolve(value)
            }, reject)
            .finally(() => waiting.delete(giveUp))
        })
      }

      return {
        registries: remoteRegistries((question) =>
          isOver ? Promise.reject(tooLong()) : bounded(answerQuestion(registries, question)),
        ),
        isOver: () => isOver,
        end() {
          clearTimeout(timer)
          isOver = true
          if (counts.asked > 0 && counts.answered === 0) pausedUntil = now() + PAUSE_MS
        },
      }
    },
  }
}

function tooLong(): RegistryUnreachable {
  return new RegistryUnreachable('the registry took too long')
}
