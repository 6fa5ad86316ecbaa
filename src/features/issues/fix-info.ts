import { describeFix, toUpgrade, type Upgrade } from '#analysis/findings/describe-fix.ts'
import { fixAbove, nearestFix, recommendableFixes } from '#analysis/versions/prerelease.ts'
import type { VersionScheme } from '#analysis/versions/version-scheme.ts'
import type { PackageManager } from '#scanning/reading/package-managers.ts'
import type { IssuePlace, ProjectIssue } from './project-issues.ts'
import type { ProjectPaths } from './project-paths.ts'

export interface FixInfo {
  /** Every path can be upgraded. */
  readonly isUpgradable: boolean
  readonly isPinnable: boolean
  readonly isPatchable: boolean
  readonly isFixable: boolean
  /** Some path can be fixed. */
  readonly isPartiallyFixable: boolean
  /** The smallest fixed version; empty when none is known. */
  readonly nearestFixedInVersion: string
  /** The smallest version that fixes it and has no other known issue. */
  readonly recommendedVersion?: string
  readonly fixedIn: readonly string[]
  /** One sentence that says what to do. */
  readonly advice: string
  /** The version to pin, if the package can be pinned. */
  readonly pinTo?: string
}

const NO_FIX: FixInfo = {
  isUpgradable: false,
  isPinnable: false,
  isPatchable: false,
  isFixable: false,
  isPartiallyFixable: false,
  nearestFixedInVersion: '',
  fixedIn: [],
  advice: '',
}

export function toFixInfo(
  { facts, safeFixes }: Pick<ProjectIssue, 'facts' | 'safeFixes'>,
  places: readonly IssuePlace[],
  { paths, manager }: { paths: ProjectPaths; manager: PackageManager },
): FixInfo {
  if (facts === undefined) return NO_FIX
  const { versions } = manager
  const used = places.map(({ version }) => version)
  const recommended = findRecommended(safeFixes ?? facts.fixedIn, used, versions)
  const isUpgradable = places.length > 0 && places.every((place) => isWhollyUpgradable(place, paths))
  const [pin, ...otherPins] = new Set(places.map(({ pinTo }) => pinTo))
  const isPinnable = places.length > 0 && places.every(({ advice }) => advice?.isPinnable)
  return {
    isUpgradable,
    isPinnable,
    isPatchable: false,
    isFixable: isUpgradable || isPinnable,
    isPartiallyFixable: places.some(({ advice }) => advice?.isUpgradable || advice?.isPinnable),
    nearestFixedInVersion: nearestFix(facts.fixedIn, used, versions) ?? '',
    ...(recommended !== undefined && { recommendedVersion: recommended }),
    fixedIn: facts.fixedIn,
    advice: describeFix({
      package: places[0]?.name ?? '',
      packageManager: manager.id,
      nearestFix: fixAbove(facts.fixedIn, used, versions),
      upgrades: [...places.flatMap(listUpgrades), ...(isUpgradable || isPinnable ? [] : [undefined])],
    }),
    ...(pin !== undefined && otherPins.length === 0 && { pinTo: pin }),
  }
}

/** Returns the upgrade of each path, or the one pin for all. */
export function listUpgrades({ name, version, advice, pinTo }: IssuePlace): Upgrade[] {
  if (pinTo !== undefined) return [{ from: `${name}@${version}`, to: `${name}@${pinTo}`, kind: 'pin' }]
  const { upgradedPaths = [], upgradePaths = [] } = advice ?? {}
  return upgradedPaths.flatMap((from, at) => toUpgrade({ from, upgradePath: upgradePaths[at]! }) ?? [])
}

/** Says what to do about one path of an issue, which starts at the direct dependency. */
export function adviseOnPath(
  { facts }: Pick<ProjectIssue, 'facts'>,
  { place, path }: { place: IssuePlace; path: readonly string[] },
  { id, versions }: PackageManager,
): string {
  if (facts === undefined) return ''
  const upgrade = place.pinTo === undefined ? findUpgrade(place, path) : listUpgrades(place)[0]
  const nearest = fixAbove(facts.fixedIn, [place.version], versions)
  return describeFix({ package: place.name, packageManager: id, nearestFix: nearest, upgrades: [upgrade] })
}

export function findUpgrade({ advice }: IssuePlace, path: readonly string[]): Upgrade | undefined {
  const at = advice?.upgradedPaths.findIndex((upgraded) => upgraded.join('\n') === path.join('\n')) ?? -1
  const upgradePath = advice?.upgradePaths[at]
  return upgradePath && toUpgrade({ from: path, upgradePath })
}

function isWhollyUpgradable({ package: index, advice }: IssuePlace, { to, textOf }: ProjectPaths): boolean {
  if (!advice?.isUpgradable) return false
  const upgraded = new Set(advice.upgradedPaths.map((path) => path.join('\n')))
  const { paths, complete } = to(index, upgraded.size)
  return complete && paths.every((path) => upgraded.has(textOf(path).join('\n')))
}

function findRecommended(fixes: readonly string[], used: readonly string[], scheme: VersionScheme): string | undefined {
  const fitting = used.reduce((left, version) => recommendableFixes(left, version, scheme), [...fixes])
  const above = fitting.filter((fix) => used.every((version) => scheme.compare(fix, version) > 0))
  return above.toSorted((a, b) => scheme.compare(a, b))[0]
}
