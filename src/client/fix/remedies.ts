import type { Upgrade } from '#analysis/fixes/edit.ts'
import { hasOverrides } from '#analysis/fixes/overrides.ts'
import type { ReferringVulnerability } from '#scanning/results/referring-result.ts'
import type { LicenseIssue } from '#scanning/results/test-result.ts'
import type { CompareVersions } from '../best-upgrades.ts'
import { describeFix, splitName, toUpgrade } from '../findings.ts'
import type { TestedProject } from '../test-document.ts'

/** One change of a declared or managed version. */
export interface Remedy extends Upgrade {
  readonly isMajor: boolean
  /** True to set the version also where the project does not declare the package, or another one requires it. */
  readonly isOverride: boolean
}

/** An issue of a package, and sets of remedies that may end it, the smallest change first. */
export interface FixableIssue {
  readonly id: string
  readonly package: string
  readonly version: string
  readonly options: readonly (readonly Remedy[])[]
  /** True if a newer version is allowed on every path, so that only the lockfile keeps the affected one. */
  readonly isRenewable: boolean
  /** The advice without a change that `fix` makes. */
  readonly advice: string
}

type Issue = ReferringVulnerability | LicenseIssue

/** Lists the issues of a tested project with their remedies. */
export function listFixableIssues(project: TestedProject, compare: CompareVersions): FixableIssue[] {
  const { result, packageManager } = project
  const all: Issue[] = [...(result?.issues.vulnerabilities ?? []), ...(result?.issues.licenses ?? [])]
  const groups = Map.groupBy(all, ({ id, package: name, version }) => JSON.stringify([id, name, version]))
  const isLocked = result?.coverage.locked === true
  return [...groups.values()].map((group) => {
    const { id, package: name, version } = group[0]!
    const upgrades = group.map((issue) => (issue.type === 'vuln' ? toUpgrade(issue) : undefined))
    return {
      id,
      package: name,
      version,
      options: listOptions(group, (one, other) => compare(packageManager, one, other), packageManager),
      isRenewable: isLocked && upgrades.every((upgrade) => upgrade?.kind === 'deep'),
      advice: describeFix(group, upgrades),
    }
  })
}

/**
 * Orders the remedies: a newer version of the package where it is declared, its override, newer versions of the
 * packages that bring it; last those that are new major versions.
 */
function listOptions(
  group: readonly Issue[],
  compare: (one: string, other: string) => number,
  packageManager: string,
): Remedy[][] {
  const [first] = group
  if (first === undefined || first.type === 'license') return []
  const vulnerabilities = group.filter((issue) => issue.type === 'vuln')
  const { package: name, version } = first
  const isDirect = group.some(({ from }) => from.length === 1)
  const own = (to: string, isOverride: boolean): Remedy => toRemedy({ name, from: version, to }, isOverride)
  const options: Remedy[][] = []
  const pin = vulnerabilities.find(({ pin }) => pin !== undefined)?.pin?.version
  if (pin !== undefined) options.push([own(pin, false)])
  const direct = vulnerabilities.flatMap((vulnerability) => {
    const upgrade = vulnerability.from.length === 1 ? toUpgrade(vulnerability) : undefined
    return upgrade === undefined ? [] : [own(splitName(upgrade.to).version, false)]
  })
  const highest = direct.toSorted((a, b) => compare(a.to, b.to)).at(-1)
  if (highest !== undefined) options.push([highest])
  if (hasOverrides(packageManager)) {
    const fixes = first.fixedIn.filter((fix) => compare(fix, version) > 0).toSorted(compare)
    const smallest = fixes.find((fix) => majorOf(fix) === majorOf(version))
    // Another major version does not offer what the packages of npm that require it were written for.
    const others = SEVERAL_VERSIONS.includes(packageManager) ? [] : [fixes[0]]
    for (const to of new Set([highest?.to, smallest, ...others])) {
      if (to !== undefined) options.push([own(to, true)])
    }
  }
  const parents = vulnerabilities.map((vulnerability) =>
    vulnerability.from.length === 1 && isDirect ? undefined : toUpgrade(vulnerability),
  )
  const brought = parents.filter((parent, at) => parent !== undefined || group[at]!.from.length > 1)
  if (brought.length > 0 && brought.every((parent) => parent?.kind === 'direct')) {
    const all = brought.map((parent) => {
      const [from, to] = [splitName(parent!.from), splitName(parent!.to)]
      return toRemedy({ name: from.name, from: from.version, to: to.version }, false)
    })
    options.push([...(highest === undefined ? [] : [highest]), ...distinct(all, compare)])
  }
  return options.toSorted((a, b) => Number(isMajorOption(a)) - Number(isMajorOption(b)))
}

/** Package managers that install several versions of a package. */
export const SEVERAL_VERSIONS = ['npm', 'yarn', 'pnpm', 'bun']

/** Keeps the highest version of each package. */
function distinct(all: readonly Remedy[], compare: (one: string, other: string) => number): Remedy[] {
  const sorted = all.toSorted((a, b) => compare(a.to, b.to))
  return [...new Map(sorted.map((remedy) => [`${remedy.name}@${remedy.from}`, remedy])).values()]
}

export function isMajorOption(option: readonly Remedy[]): boolean {
  return option.some(({ isMajor }) => isMajor)
}

export function toRemedy(upgrade: Upgrade, isOverride: boolean): Remedy {
  return { ...upgrade, isOverride, isMajor: majorOf(upgrade.from) !== majorOf(upgrade.to) }
}

/** Returns the first number of a version; 0 stays 0, since its releases have no major version yet. */
export function majorOf(version: string): string {
  return /\d+/.exec(version)?.[0] ?? version
}

/** Identifies a remedy, so that issues share it: each takes the highest version of the same line. */
export function keyOfRemedy({ name, from, isMajor, isOverride }: Remedy): string {
  return JSON.stringify([name, from, isMajor, isOverride])
}
