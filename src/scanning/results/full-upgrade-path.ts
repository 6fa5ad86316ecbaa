import type { VersionScheme } from '#analysis/versions/version-scheme.ts'

interface Upgraded {
  readonly from: readonly string[]
  readonly upgradePath: readonly string[]
  readonly package: string
  readonly version: string
  readonly fixedIn: readonly string[]
}

/**
 * Extends an upgrade path to the length of `from`, since clients compare the two position by position. The added
 * positions are packages that nothing requires after the upgrade: parents keep their versions, and the affected package
 * gets its smallest fix.
 */
export function toFullUpgradePath(upgraded: Upgraded, scheme: VersionScheme): string[] {
  const { from, upgradePath, package: name, version, fixedIn } = upgraded
  if (upgradePath.length === 0 || upgradePath.length >= from.length) return [...upgradePath]
  const newer = fixedIn.filter((fix) => scheme.compare(fix, version) > 0)
  const [fix = version] = newer.toSorted((a, b) => scheme.compare(a, b))
  return [...upgradePath, ...from.slice(upgradePath.length, -1), `${name}@${fix}`]
}
