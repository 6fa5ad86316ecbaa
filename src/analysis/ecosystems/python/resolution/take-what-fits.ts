import type { Candidate, Want } from './candidate.ts'
import type { Reason } from './reasons.ts'
import type { Provider } from './resolution.ts'

export interface Taken {
  readonly chosen: Map<string, Candidate>
  /** Unmet demands, each with those it contradicts. */
  readonly unmet: readonly { readonly reason: Reason; readonly others: readonly Reason[] }[]
}

/** Maximum number of contradicting demands shown. */
const SHOWN = 3

/**
 * Takes one version of everything required, the most preferred that meets the demands known by then, without
 * backtracking. Linear in the number of demands, so that a search can end with it at its limit.
 */
export async function takeWhatFits(
  roots: readonly Want[],
  { findMatches, dependenciesOf, isSatisfied }: Omit<Provider, 'choose' | 'onOpen'>,
): Promise<Taken> {
  const chosen = new Map<string, Candidate>()
  const unmet: { readonly reason: Reason; readonly others: readonly Reason[] }[] = []
  const tried = new Set<string>()
  const demands = new Map<string, Reason[]>()
  const queue: Reason[] = roots.map((want) => ({ want, parent: undefined }))
  for (const reason of queue) note(reason)
  for (const reason of queue) {
    const { want } = reason
    if (!chosen.has(want.id)) await take(want)
    const candidate = chosen.get(want.id)
    if (candidate === undefined || !isSatisfied(want, candidate)) {
      unmet.push({
        reason,
        others: demands
          .get(want.id)!
          .filter((other) => other !== reason)
          .slice(0, SHOWN),
      })
    }
  }
  return { chosen, unmet }

  function note(reason: Reason): void {
    const reasons = demands.get(reason.want.id)
    if (reasons === undefined) demands.set(reason.want.id, [reason])
    else reasons.push(reason)
  }

  async function take(want: Want): Promise<void> {
    const key = `${want.id} ${want.range}`
    if (tried.has(key)) return
    tried.add(key)
    const together = await findMatches(want.id, wantsOf, [])
    const candidates =
      together.length > 0 ? together : await findMatches(want.id, (id) => (id === want.id ? [want] : []), [])
    for (const candidate of candidates) {
      const wants = await dependenciesOf(candidate)
      if (wants === undefined) continue
      chosen.set(want.id, candidate)
      for (const want of wants) {
        const reason = { want: want, parent: candidate }
        note(reason)
        queue.push(reason)
      }
      return
    }
  }

  function wantsOf(id: string): readonly Want[] {
    return demands.get(id)?.map(({ want }) => want) ?? []
  }
}
