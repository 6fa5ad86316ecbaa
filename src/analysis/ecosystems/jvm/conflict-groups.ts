import { mavenVersions } from '#analysis/versions/maven.ts'

/**
 * Groups of artifacts joined by relocation, with the bracketed ranges that apply to each group. Kept for all later
 * passes over the tree.
 */
export interface ConflictGroups {
  /** Returns the group of an artifact. */
  find(key: string): string
  /** Joins two groups; undefined if they are one already, else the group that was merged into the other. */
  join(key: string, other: string): { readonly from: string; readonly into: string } | undefined
  rangesOn(key: string): readonly string[]
  /** Returns true if the range is new to the group. */
  constrain(key: string, range: string): boolean
  accepts(key: string, version: string): boolean
  /** Stops learning. */
  freeze(): void
  readonly isFrozen: boolean
}

export function createConflictGroups(): ConflictGroups {
  const parents = new Map<string, string>()
  const ranges = new Map<string, string[]>()
  let isFrozen = false

  function find(key: string): string {
    let root = key
    for (let above = parents.get(root); above !== undefined; above = parents.get(root)) root = above
    if (root !== key) parents.set(key, root)
    return root
  }

  const rangesOn = (key: string) => ranges.get(find(key)) ?? []

  return {
    find,
    rangesOn,
    join(key, other) {
      const [into, from] = [find(key), find(other)]
      if (into === from || isFrozen) return undefined
      parents.set(from, into)
      const moved = ranges.get(from) ?? []
      if (moved.length > 0) ranges.set(into, [...new Set([...(ranges.get(into) ?? []), ...moved])])
      return { from, into }
    },
    constrain(key, range) {
      if (isFrozen || rangesOn(key).includes(range)) return false
      ranges.set(find(key), [...rangesOn(key), range])
      return true
    },
    accepts: (key, version) => rangesOn(key).every((range) => mavenVersions.satisfies(version, range)),
    freeze() {
      isFrozen = true
    },
    get isFrozen() {
      return isFrozen
    },
  }
}
