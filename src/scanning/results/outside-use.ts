import type { WhatIfResolver } from '#analysis/ecosystems/ecosystem.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import { answerQuestion, remoteRegistries } from '../registries/remote-registries.ts'

/** Notices whether a test used more than its request and the advisories. */
export interface OutsideUse {
  readonly wasMade: boolean
  watchRegistries(registries: Registries): Registries
  /** Returns a resolver whose uses are noticed, even if its answers come from a cache. */
  watchResolver(resolver: WhatIfResolver): WhatIfResolver
}

export function createOutsideUse(): OutsideUse {
  let wasMade = false
  return {
    get wasMade() {
      return wasMade
    },
    watchRegistries: (registries) =>
      remoteRegistries((question) => {
        // Only the configuration decides whether there is a Go module proxy.
        wasMade ||= question.method !== 'hasProxy'
        return answerQuestion(registries, question)
      }),
    watchResolver: (resolver) => ({
      get isSameForAll() {
        return resolver.isSameForAll
      },
      candidates(direct) {
        wasMade = true
        return resolver.candidates(direct)
      },
      ...(resolver.read && {
        read(requested) {
          wasMade = true
          return resolver.read!(requested)
        },
      }),
    }),
  }
}
