import type { Exclusion } from '../pom.ts'

/** Exclusions at a place: patterns `group:artifact`, where either part may be `*`. Equal sets are one object. */
export interface ExclusionSet {
  readonly patterns: ReadonlySet<string>
}

export interface ExclusionSets {
  readonly everywhere: ExclusionSet
  add(set: ExclusionSet, more: readonly Exclusion[]): ExclusionSet
  excludes(set: ExclusionSet, module: { readonly group: string; readonly artifact: string }): boolean
  /** Returns the set for visiting the module; undefined if it was visited with a subset of this one. */
  visit(name: string, set: ExclusionSet): ExclusionSet | undefined
}

/** Limit of sets per module; beyond it, everything below is visited once more with their intersection. */
const MAX_SETS = 20

export function createExclusionSets(everywhere: readonly Exclusion[]): ExclusionSets {
  const interned = new Map<string, ExclusionSet>()
  const added = new Map<ExclusionSet, Map<readonly Exclusion[], ExclusionSet>>()
  const visited = new Map<string, ExclusionSet[]>()

  function intern(patterns: ReadonlySet<string>): ExclusionSet {
    const key = [...patterns].sort().join('\n')
    const existing = interned.get(key) ?? { patterns }
    interned.set(key, existing)
    return existing
  }

  return {
    everywhere: intern(new Set(everywhere.map(toPattern))),
    add(set, more) {
      if (more.length === 0) return set
      const cached = added.get(set)?.get(more)
      if (cached !== undefined) return cached
      const made = intern(new Set([...set.patterns, ...more.map(toPattern)]))
      added.set(set, (added.get(set) ?? new Map()).set(more, made))
      return made
    },
    excludes: ({ patterns }, { group, artifact }) =>
      patterns.size > 0 &&
      (patterns.has(`${group}:${artifact}`) ||
        patterns.has(`${group}:*`) ||
        patterns.has(`*:${artifact}`) ||
        patterns.has('*:*')),
    visit(name, set) {
      const before = visited.get(name) ?? []
      if (before.some((exclusionSet) => exclusionSet === set || isWithin(exclusionSet, set))) return undefined
      // Beyond the limit fewer packages are excluded, never more.
      const effective =
        before.length < MAX_SETS ? set : intern(before.reduce((sum, set) => common(sum, set.patterns), set.patterns))
      if (before.includes(effective)) return undefined
      visited.set(name, [...before, effective])
      return effective
    },
  }
}

function toPattern({ group, artifact }: Exclusion): string {
  return `${group}:${artifact}`
}

function isWithin({ patterns }: ExclusionSet, other: ExclusionSet): boolean {
  if (patterns.size > other.patterns.size) return false
  for (const pattern of patterns) if (!other.patterns.has(pattern)) return false
  return true
}

function common(patterns: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...patterns].filter((pattern) => other.has(pattern)))
}
