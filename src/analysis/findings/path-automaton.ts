import type { Registry } from '#analysis/registries/registry.ts'
import { normalizeName } from '../advisories/package-names.ts'
import type { Package } from '../dependency-graph.ts'
import { fitsStep, type IgnorePath, type PathStep } from '../discovery/policy-files/ignore-path.ts'

/**
 * Matches several ignore paths at once while following packages (the shift-and method of Baeza-Yates and Gonnet): bit n
 * of a state is set if step n of all could be next. Fewer paths match a subset of a state, whatever follows.
 */
export interface PathAutomaton {
  readonly start: bigint
  /** Follows one package. Undefined once a path matches: every continuation matches too. */
  follow(state: bigint, pathPackage: Package): bigint | undefined
}

interface PlacedStep extends PathStep {
  readonly bit: bigint
  readonly isLast: boolean
}

/** Compiles paths with steps; those without match everything and need no automaton. */
export function compilePaths(paths: readonly IgnorePath[], registry: Registry): PathAutomaton {
  let [bit, start, anywhere] = [1n, 0n, 0n]
  const byName = new Map<string, PlacedStep[]>()
  for (const { steps } of paths) {
    if (steps.length > 0) start |= bit
    for (const [index, step] of steps.entries()) {
      const name = normalizeName(registry, step.name)
      const placed = { ...step, bit, isLast: index === steps.length - 1 }
      byName.set(name, [...(byName.get(name) ?? []), placed])
      if (step.afterAny) anywhere |= bit
      bit <<= 1n
    }
  }
  const masksByPackage = new Map<Package, { readonly fitting: bigint; readonly last: bigint }>()

  function stepsFitting(pathPackage: Package) {
    let [fitting, last] = [0n, 0n]
    for (const step of byName.get(normalizeName(registry, pathPackage.name)) ?? []) {
      if (!fitsStep(registry, pathPackage.version, step.version)) continue
      fitting |= step.bit
      if (step.isLast) last |= step.bit
    }
    return { fitting, last }
  }

  return {
    start,
    follow(state, pathPackage) {
      const masks = masksByPackage.get(pathPackage) ?? stepsFitting(pathPackage)
      masksByPackage.set(pathPackage, masks)
      if ((state & masks.last) !== 0n) return undefined
      return ((state & masks.fitting) << 1n) | (state & anywhere)
    },
  }
}

/** Returns true if a dependency path, from the direct dependency down, matches. */
export function meets(automaton: PathAutomaton, path: readonly Package[]): boolean {
  let state = automaton.start
  for (const pathPackage of path) {
    const next = automaton.follow(state, pathPackage)
    if (next === undefined) return true
    state = next
  }
  return false
}
