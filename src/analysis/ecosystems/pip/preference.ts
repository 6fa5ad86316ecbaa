import type { Specifier } from '#analysis/versions/pep440-specifiers.ts'
import type { Want } from './candidate.ts'
import { isPin } from './published-files.ts'
import type { Provider, Reason } from './resolution.ts'

const CONFLICTS_TO_COME_FIRST = 5

/**
 * Which undecided thing pip (26) decides next: the interpreter, then what was part of the last conflict, then what often
 * stood in conflicts; among those what is given, pinned, bounded above, asked for by the project itself, bounded at all.
 */
export function createPreference(order: ReadonlyMap<string, number>): Provider['choose'] {
  const conflicts = new Map<string, number>()
  const comesFirst = (id: string) => (conflicts.get(id) ?? 0) >= CONFLICTS_TO_COME_FIRST

  function narrow(undecided: readonly string[], causes: readonly Reason[], chosen: ReadonlyMap<string, unknown>) {
    const involved = new Set<string>()
    for (const { want, parent } of causes) {
      for (const id of parent === undefined ? [want.id] : [want.id, parent.id]) {
        involved.add(id)
        if (!chosen.has(id)) conflicts.set(id, (conflicts.get(id) ?? 0) + 1)
      }
    }
    const interpreter = undecided.filter((id) => id.startsWith('<'))
    if (interpreter.length > 0) return interpreter
    const blamed = undecided.filter((id) => involved.has(id))
    if (blamed.length > 0) return blamed
    const promoted = undecided.filter(comesFirst)
    return promoted.length > 0 ? promoted : undecided
  }

  return (undecided, { causes, chosen, criteria }) => {
    const narrowed = narrow(undecided, causes, chosen)
    const ranked = narrowed.map((id) => ({ id, rank: rankOf(criteria.get(id)?.reasons ?? [], id) }))
    return ranked.reduce((best, each) => (compare(each, best) < 0 ? each : best)).id
  }

  function rankOf(reasons: readonly Reason[], id: string): number[] {
    const wants = reasons.map(({ want }) => want)
    const holds = [
      comesFirst(id),
      wants.some(({ exact }) => exact !== undefined),
      wants.some((want) => traitsOf(want).isPinned),
      wants.some((want) => traitsOf(want).isBoundedAbove),
    ]
    const isBounded = wants.some(({ specifiers }) => specifiers.length > 0)
    return [...holds.map(toRank), order.get(id) ?? Number.POSITIVE_INFINITY, toRank(isBounded)]
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
  let known = traits.get(want)
  if (known === undefined) {
    known = { isPinned: want.specifiers.some(isPin), isBoundedAbove: want.specifiers.some(boundsAbove) }
    traits.set(want, known)
  }
  return known
}

function boundsAbove(specifier: Specifier): boolean {
  if (specifier.operator === '===') return false
  return ['<', '<=', '~='].includes(specifier.operator) || (specifier.operator === '==' && specifier.isPrefix)
}

interface Ranked {
  readonly id: string
  readonly rank: readonly number[]
}

function compare(a: Ranked, b: Ranked): number {
  for (const [at, number] of a.rank.entries()) {
    const other = b.rank[at]!
    if (number !== other) return number - other
  }
  return a.id < b.id ? -1 : 1
}
