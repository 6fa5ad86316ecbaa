/** The replacement of one package of a dependency path. */
export interface Upgrade {
  /** `name@version`, as `to`. */
  readonly from: string
  readonly to: string
  readonly kind: UpgradeKind
  /** The project of the repository whose files declare it, as `name@version`; for `module` only. */
  readonly declaredBy?: string
  /** Other declared packages that move with it, as `name@version`. */
  readonly together?: readonly string[]
}

/**
 * The place of a replacement: the declaration of a direct dependency (`direct`) or of a dependency of another project
 * of the repository (`module`), a package below one that stays (`deep`), or a package that gets a version of its own
 * wherever it comes from (`pin`).
 */
export type UpgradeKind = 'direct' | 'module' | 'deep' | 'pin'

/** A dependency path and the path after the upgrade, both from the direct dependency on. */
export interface UpgradedPath {
  readonly from: readonly string[]
  readonly upgradePath: readonly string[]
  /** The number of packages at the start of `from` that are projects of the same repository. */
  readonly ownProjects?: number | undefined
  readonly upgradesWith?: readonly string[] | undefined
}

/** A vulnerability of a package, with its remedies. */
export interface FixFacts {
  readonly package: string
  /** The ecosystem's id. */
  readonly packageManager: string
  /** The smallest fixed version above the one in use; undefined or empty if there is none. */
  readonly nearestFix: string | undefined
  /** One for each dependency path, undefined where no upgrade fixes it. */
  readonly upgrades: readonly (Upgrade | undefined)[]
}

/** Finds the first package that changes; those before it stay. */
export function toUpgrade({ from, upgradePath, ownProjects = 0, upgradesWith }: UpgradedPath): Upgrade | undefined {
  const at = upgradePath.findIndex((label, index) => label !== from[index])
  if (at === -1 || from[at] === undefined) return undefined
  const kind = at > ownProjects ? 'deep' : at === 0 ? 'direct' : 'module'
  return {
    from: from[at],
    to: upgradePath[at]!,
    kind,
    ...(kind === 'module' && { declaredBy: from[at - 1]! }),
    ...(upgradesWith !== undefined && { together: upgradesWith }),
  }
}

/** Says in one sentence what to do about a vulnerability. */
export function describeFix({ package: name, packageManager, nearestFix, upgrades }: FixFacts): string {
  const upgrade = upgrades.find((upgrade) => upgrade !== undefined)
  if (upgrade !== undefined) {
    const isPartial = upgrades.includes(undefined)
    return `${describeUpgrade(upgrade, packageManager)}${isPartial ? '; no upgrade fixes the other paths' : ''}`
  }
  return nearestFix ? `no upgrade leads to ${name} ${nearestFix}` : 'no fixed version is known'
}

/** The change for a package below a direct dependency that stays, where no lockfile keeps its version. */
const deepUpgrades: Readonly<Record<string, string>> = {
  maven: 'manage the version in dependencyManagement',
  gradle: 'add a constraint',
  sbt: 'add to dependencyOverrides',
  gomodules: 'require it in go.mod',
  golang: 'require it in go.mod',
}

export function describeUpgrade(
  { from, to, kind, declaredBy, together = [] }: Upgrade,
  packageManager: string,
): string {
  const [current, upgraded] = [splitName(from), splitName(to)]
  if (kind === 'pin') return `pin ${upgraded.name} to ${upgraded.version}`
  // The name of Go's standard library in advisories.
  if (/^go/.test(packageManager) && upgraded.name === 'stdlib')
    return `raise the go or toolchain line of go.mod to ${upgraded.version}`
  const isSame = current.name === upgraded.name
  const change = isSame ? `${current.name} ${current.version} → ${upgraded.version}` : `${from} → ${to}`
  if (kind === 'deep') return `${deepUpgrades[packageManager] ?? 'renew the lockfile'}: ${change}`
  const others =
    together.length === 0 ? '' : ` together with ${together.map((label) => splitName(label).name).join(', ')}`
  const where = declaredBy === undefined ? '' : ` in ${splitName(declaredBy).name}`
  return `upgrade ${change}${others}${where}`
}

/** Splits `name@version` at the last `@`, since names of npm scopes begin with one. */
export function splitName(text: string): { name: string; version: string } {
  const at = text.lastIndexOf('@')
  return at <= 0 ? { name: text, version: '' } : { name: text.slice(0, at), version: text.slice(at + 1) }
}
