import type { Specifier } from '#analysis/versions/pep440-specifiers.ts'
import { isPin } from '../packaging/published-files.ts'
import { PYTHON, type Want } from './candidate.ts'
import { createHeap } from './heap.ts'
import type { Choice, Provider } from './resolution.ts'

const CONFLICTS_TO_COME_FIRST = 5
/** More than any project can require. */
const PLACES = 2 ** 40

/** An undecided criterion with its sort keys. */
interface Ranked {
  readonly id: string
  readonly rank: number
  readonly wants: readonly Want[]
}

/**
 * Returns the criterion that pip (26) decides next: the interpreter, then parts of the last conflict, then frequent
 * parts of conflicts; among those fixed, pinned, upper-bounded, direct and bounded ones. All undecided criteria are
 * kept sorted, so that the cost does not grow with their number.
 */
export function createPreference(order: ReadonlyMap<string, number>): Pick<Provider, 'choose' | 'onOpen'> {
  const conflicts = new Map<string, number>()
  const promoted = new Set<string>()
  const open = createHeap<Ranked>(compare)

  function blame(id: string): void {
    const count = (conflicts.get(id) ?? 0) + 1
    conflicts.set(id, count)
    if (count >= CONFLICTS_TO_COME_FIRST) promoted.add(id)
  }

  /** Returns the candidates of the choice; undefined for all. */
  function narrow({ undecided, causes, chosen }: Choice): readonly string[] | undefined {
    const involved = new Set<string>()
    for (const { want, parent } of causes) {
      for (const id of parent === undefined ? [want.id] : [want.id, parent.id]) {
        involved.add(id)
        if (!chosen.has(id)) blame(id)
      }
    }
    if (undecided.has(PYTHON)) return [PYTHON]
    const blamed = [...involved].filter((id) => undecided.has(id))
    if (blamed.length > 0) return blamed
    const first = [...promoted].filter((id) => undecided.has(id))
    return first.length > 0 ? first : undefined
  }

  /** Returns the first one, skipping outdated ranks. */
  function firstOfAll({ undecided, criteria }: Choice): string {
    for (;;) {
      const { id, wants } = open.first()!
      if (undecided.has(id) && criteria.get(id)?.reasons.wants === wants) return id
      open.removeFirst()
    }
  }

  /** Returns the rank; smaller is decided earlier: traits weigh more than the place, the place more than the name. */
  function rank(id: string, wants: readonly Want[]): Ranked {
    const traits = [
      wants.some(({ exact }) => exact !== undefined),
      wants.some((want) => traitsOf(want).isPinned),
      wants.some((want) => traitsOf(want).isBoundedAbove),
    ]
    const first = traits.reduce((sum, holds) => 2 * sum + toRank(holds), 0)
    const isBounded = wants.some(({ specifiers }) => specifiers.length > 0)
    return { id, wants, rank: 2 * (first * PLACES + (order.get(id) ?? PLACES - 1)) + toRank(isBounded) }
  }

  return {
    onOpen: (id, { reasons }) => open.add(rank(id, reasons.wants)),
    choose(choice) {
      const narrowed = narrow(choice)
      if (narrowed === undefined) return firstOfAll(choice)
      const often = narrowed.filter((id) => promoted.has(id))
      const ranked = (often.length > 0 ? often : narrowed).map((id) =>
        rank(id, choice.criteria.get(id)?.reasons.wants ?? []),
      )
      return ranked.reduce((best, ranked) => (compare(ranked, best) < 0 ? ranked : best)).id
    },
  }
}

function toRank(holds: boolean): number {
  return holds ? 0 : 1
}

interface Traits {
  readonly isPinned: boolean
  readonly isBoundedAbove: boolean
}

const traits = new WeakMap<Want, Traits>()

function traitsOf(want: Want): Traits {
  let wantTraits = traits.get(want)
  if (wantTraits === undefined) {
    wantTraits = { isPinned: want.specifiers.some(isPin), isBoundedAbove: want.specifiers.some(boundsAbove) }
    traits.set(want, wantTraits)
  }
  return wantTraits
}

function boundsAbove(specifier: Specifier): boolean {
  if (specifier.operator === '===') return false
  return ['<', '<=', '~='].includes(specifier.operator) || (specifier.operator === '==' && specifier.isPrefix)
}

function compare(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || (a.id < b.id ? -1 : 1)
}
