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

export function startSearchTime(registries: Registries, seconds: number): SearchTime {
  let isOver = seconds <= 0
  const waiting = new Set<() => void>()
  const timer = setTimeout(() => {
    isOver = true
    for (const giveUp of waiting) giveUp()
  }, seconds * 1000)

  function bounded(answer: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new RegistryUnreachable('it took too long'))
      waiting.add(giveUp)
      answer.then(resolve, reject).finally(() => waiting.delete(giveUp))
    })
  }

  return {
    registries: remoteRegistries((question) =>
      isOver
        ? Promise.reject(new RegistryUnreachable('it took too long'))
        : bounded(answerQuestion(registries, question)),
    ),
    isOver: () => isOver,
    end: () => clearTimeout(timer),
  }
}
