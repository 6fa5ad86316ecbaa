import type { VersionScheme } from '#analysis/versions/version-scheme.ts'

interface Upgraded {
  readonly from: readonly string[]
  readonly upgradePath: readonly string[]
  readonly package: string
  readonly version: string
  readonly fixedIn: readonly string[]
}

/**
 * Fills the positions whose packages nothing asks for any more after the upgrade: clients read `upgradePath` position by
 * position beside `from`. Parents stay as they are; the affected package, should anything ask for it again, is named at
 * its smallest fix.
 */
export function toFullUpgradePath(upgraded: Upgraded, scheme: VersionScheme): string[] {
  const { from, upgradePath, package: name, version, fixedIn } = upgraded
  if (upgradePath.length === 0 || upgradePath.length >= from.length) return [...upgradePath]
  const newer = fixedIn.filter((each) => scheme.compare(each, version) > 0)
  const [fix = version] = newer.toSorted((a, b) => scheme.compare(a, b))
  return [...upgradePath, ...from.slice(upgradePath.length, -1), `${name}@${fix}`]
}
