import type { VersionScheme } from '../versions/version-scheme.ts'

/**
 * The distinct versions that a package's advisories mention, oldest first, one spelling of each. Every version has a
 * position among them: `2i + 1` if it equals boundary `i`, `2i` if it lies directly below boundary `i`. Ranges become
 * pairs of positions, so that matching compares versions once per package and integers after that.
 */
export interface Boundaries {
  readonly versions: readonly string[]
  readonly coarse: readonly number[]
  /** Returns the position of a version equal to one of `versions`. */
  positionOf(version: string): number
}

/** A position above every version. */
export const ABOVE_ALL = 0x7fff_ffff

export function toBoundaries(mentioned: Iterable<string>, scheme: VersionScheme): Boundaries {
  const sorted = Array.from(new Set(mentioned), (version) => ({ version, coarse: scheme.coarse(version) }))
  // The last tie-break only decides which of several equal spellings is kept.
  sorted.sort(
    (a, b) =>
      a.coarse - b.coarse ||
      scheme.compare(a.version, b.version) ||
      a.version.length - b.version.length ||
      (a.version < b.version ? -1 : 1),
  )
  const versions: string[] = []
  const coarse: number[] = []
  const positions = new Map<string, number>()
  for (const entry of sorted) {
    const last = versions.length - 1
    const repeats = last >= 0 && coarse[last] === entry.coarse && scheme.compare(versions[last]!, entry.version) === 0
    if (!repeats) {
      versions.push(entry.version)
      coarse.push(entry.coarse)
    }
    positions.set(entry.version, 2 * (versions.length - 1) + 1)
  }
  return { versions, coarse, positionOf: (version) => positions.get(version)! }
}
