import { normaliseName } from '../advisories/package-names.ts'
import type { Package } from '../dependency-graph.ts'
import type { Registry } from '../ecosystems/ecosystem.ts'
import { fitsStep, type IgnorePath, type PathStep } from './ignore-path.ts'

/**
 * All paths of some ignores at once, as they are followed package by package (the shift-and method of Baeza-Yates and
 * Gonnet): bit n of a state is set while the nth of all steps could be the next. A state that is a part of another is met
 * by fewer paths, whatever comes.
 */
export interface PathAutomaton {
  readonly start: bigint
  /** Undefined once one of the paths is met: whatever comes then is meant too. */
  follow(state: bigint, found: Package): bigint | undefined
}

interface PlacedStep extends PathStep {
  readonly bit: bigint
  readonly isLast: boolean
}

/** Paths without steps are met by everything, and have no place here. */
export function compilePaths(paths: readonly IgnorePath[], registry: Registry): PathAutomaton {
  let [bit, start, anywhere] = [1n, 0n, 0n]
  const byName = new Map<string, PlacedStep[]>()
  for (const { steps } of paths) {
    if (steps.length > 0) start |= bit
    for (const [index, step] of steps.entries()) {
      const name = normaliseName(registry, step.name)
      const placed = { ...step, bit, isLast: index === steps.length - 1 }
      byName.set(name, [...(byName.get(name) ?? []), placed])
      if (step.afterAny) anywhere |= bit
      bit <<= 1n
    }
  }
  const known = new Map<Package, { readonly fitting: bigint; readonly last: bigint }>()

  function stepsFitting(found: Package) {
    let [fitting, last] = [0n, 0n]
    for (const step of byName.get(normaliseName(registry, found.name)) ?? []) {
      if (!fitsStep(registry, found.version, step.version)) continue
      fitting |= step.bit
      if (step.isLast) last |= step.bit
    }
    return { fitting, last }
  }

  return {
    start,
    follow(state, found) {
      const masks = known.get(found) ?? stepsFitting(found)
      known.set(found, masks)
      if ((state & masks.last) !== 0n) return undefined
      return ((state & masks.fitting) << 1n) | (state & anywhere)
    },
  }
}

/** Whether a dependency path, given from the direct dependency down, is one of those that are meant. */
export function meets(automaton: PathAutomaton, path: readonly Package[]): boolean {
  let state = automaton.start
  for (const found of path) {
    const next = automaton.follow(state, found)
    if (next === undefined) return true
    state = next
  }
  return false
}
