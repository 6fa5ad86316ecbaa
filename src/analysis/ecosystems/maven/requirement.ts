import { mavenVersions } from '#analysis/versions/maven.ts'

/** Whether a version is a range in brackets, which is meant as it stands; all else only recommends one version. */
export function isHard(version: string): boolean {
  return /^[[(]/.test(version)
}

/** The one version that a range allows when it is written as `[1.0]`. */
export function findOnlyVersion(range: string): string | undefined {
  return /^\[\s*([^,[\]()]*?)\s*\]$/.exec(range)?.[1] || undefined
}

/** The newest version that satisfies all ranges. */
export function findNewest(versions: readonly string[], ranges: readonly string[]): string | undefined {
  return [...versions]
    .sort((a, b) => mavenVersions.compare(b, a))
    .find((version) => ranges.every((range) => mavenVersions.satisfies(version, range)))
}
