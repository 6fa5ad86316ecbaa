import type { VersionScheme } from './version-scheme.ts'

/** Words that mark a pre-release although the scheme orders it after its numbers (found in Maven repositories). */
const marks = /(?:^|[.-])(?:ea|pre|preview|dev|nightly|m\d)/i

/**
 * Returns true if a version precedes the release of its own numbers, like `12.0.0.beta0`, `1.0rc1` and `v2.0.0-rc.1`.
 */
export function isPrerelease(version: string, { compare }: Pick<VersionScheme, 'compare'>): boolean {
  const numbers = /^(?:\d+!)?v?[\d.]*\d/.exec(version)?.[0]
  return (numbers !== undefined && compare(version, numbers) < 0) || marks.test(version)
}

/** Returns the fixed versions to recommend to users of `used`: pre-releases only to users of one. */
export function recommendableFixes(fixes: readonly string[], used: string, scheme: VersionScheme): string[] {
  const takesAll = isPrerelease(used, scheme)
  return fixes.filter((fix) => takesAll || !isPrerelease(fix, scheme))
}

/** Returns the smallest fixed version above all versions in use, preferring releases; else the newest fix. */
export function nearestFix(
  fixes: readonly string[],
  used: readonly string[],
  scheme: VersionScheme,
): string | undefined {
  return fixAbove(fixes, used, scheme) ?? fixes.toSorted((a, b) => scheme.compare(a, b)).at(-1)
}

/** Returns the smallest fixed version above all versions in use, preferring releases. */
export function fixAbove(fixes: readonly string[], used: readonly string[], scheme: VersionScheme): string | undefined {
  const above = fixes
    .filter((fix) => used.every((version) => scheme.compare(fix, version) > 0))
    .toSorted((a, b) => scheme.compare(a, b))
  const releases = used.some((version) => isPrerelease(version, scheme))
    ? above
    : above.filter((fix) => !isPrerelease(fix, scheme))
  return releases[0] ?? above[0]
}
