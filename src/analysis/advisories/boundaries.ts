import type { VersionScheme } from '../versions/version-scheme.ts'

/**
 * The distinct versions that a package's advisories mention, oldest first, one spelling of each. Every version has a
 * position among them: `2i + 1` if it equals boundary `i`, `2i` if it lies directly below boundary `i`. Ranges become
 * pairs of positions, so that matching compares versions once per package and integers after that.
 */
export interface Boundaries {
  readonly versions: readonly string[]
  /** Returns the position of a version equal to one of `versions`. */
  positionOf(version: string): number
}

/** A position above every version. */
export const ABOVE_ALL = 0x7fff_ffff

export function toBoundaries(mentioned: Iterable<string>, scheme: VersionScheme): Boundaries {
  // The last tie-break only decides which of several equal spellings is kept.
  const sorted = [...new Set(mentioned)].sort((a, b) => scheme.compare(a, b) || a.length - b.length || (a < b ? -1 : 1))
  const versions: string[] = []
  const positions = new Map<string, number>()
  for (const version of sorted) {
    const last = versions.at(-1)
    if (last === undefined || scheme.compare(last, version) !== 0) versions.push(version)
    positions.set(version, 2 * (versions.length - 1) + 1)
  }
  return { versions, positionOf: (version) => positions.get(version)! }
}
