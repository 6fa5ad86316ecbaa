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
  return [...versions]
    .sort((a, b) => mavenVersions.compare(b, a))
    .find((version) => ranges.every((range) => mavenVersions.satisfies(version, range)))
}
