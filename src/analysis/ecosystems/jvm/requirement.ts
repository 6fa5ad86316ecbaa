import { mavenVersions } from '#analysis/versions/maven.ts'

/** Returns true for a bracketed range, which is binding; other versions are only recommendations. */
export function isHard(version: string): boolean {
  return /^[[(]/.test(version)
}

/** Returns the single version of a range such as `[1.0]`. */
export function findOnlyVersion(range: string): string | undefined {
  return /^\[\s*([^,[\]()]*?)\s*\]$/.exec(range)?.[1] || undefined
}

/** Returns the newest version within all ranges. */
export function findNewest(versions: readonly string[], ranges: readonly string[]): string | undefined {
  // The range that excludes one version usually excludes the next one too.
  let refusing: string | undefined
  return newestFirst(versions).find((version) => {
    const refuses = (range: string) => !mavenVersions.satisfies(version, range)
    if (refusing !== undefined && refuses(refusing)) return false
    refusing = ranges.find(refuses)
    return refusing === undefined
  })
}

/** Versions of an artifact in order: ranges that conflict choose from the same list many times. */
const ordered = new WeakMap<readonly string[], readonly string[]>()

function newestFirst(versions: readonly string[]): readonly string[] {
  const cached = ordered.get(versions)
  if (cached !== undefined) return cached
  const sorted = versions.toSorted((a, b) => mavenVersions.compare(b, a))
  ordered.set(versions, sorted)
  return sorted
}
