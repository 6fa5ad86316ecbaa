import type { LicenseIssue, Vulnerability } from '#scanning/results/test-result.ts'
import type { TestedProject } from './test-document.ts'

export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

/** The replacement of one package of a dependency path. */
export interface Upgrade {
  readonly from: string
  readonly to: string
  readonly kind: UpgradeKind
}

/**
 * The place of a replacement: the declaration of a direct dependency (`direct`), a package below one that stays
 * (`deep`), or a package that gets a version of its own wherever it comes from (`pin`).
 */
export type UpgradeKind = 'direct' | 'deep' | 'pin'

/** An issue of one package at one version, whatever the number of dependency paths. */
export interface Finding {
  readonly id: string
  readonly type: 'vuln' | 'license'
  readonly severity: Severity
  readonly title: string
  readonly package: string
  readonly version: string
  readonly cves: readonly string[]
  readonly url: string
  readonly isExploited: boolean
  /** Best first. */
  readonly paths: readonly (readonly string[])[]
  readonly pathCount: number
  /** `file:line` of the declarations of the direct dependencies, each once, as far as they are known. */
  readonly declarations: readonly string[]
  /** Parallel to `paths`. */
  readonly upgrades: readonly (Upgrade | undefined)[]
  readonly fix: string
  readonly isFixable: boolean
}

/** Returns the findings of a project, the most severe first. */
export function listFindings({ result }: TestedProject): Finding[] {
  if (result === undefined) return []
  const issues = [...result.issues.vulnerabilities, ...result.issues.licenses]
  const groups = Map.groupBy(issues, ({ id, package: name, version }) => JSON.stringify([id, name, version]))
  return [...groups.values()].map(toFinding).sort(compareFindings)
}

function toFinding(group: readonly (Vulnerability | LicenseIssue)[]): Finding {
  const first = group[0]!
  const pin = findPin(group)
  const upgrades = group.map((each) => pin ?? (each.type === 'vuln' ? toUpgrade(each) : undefined))
  return {
    id: first.id,
    type: first.type,
    severity: first.severity,
    title: first.title,
    package: first.package,
    version: first.version,
    cves: first.type === 'vuln' ? first.identifiers.CVE : [],
    url: first.url,
    isExploited: first.type === 'vuln' && first.exploitMaturity === 'mature',
    paths: group.map(({ from }) => from),
    pathCount: Math.max(group.length, first.pathCount ?? 0),
    declarations: [
      ...new Set(group.flatMap(({ declaration: at }) => (at === undefined ? [] : [`${at.file}:${at.line}`]))),
    ],
    upgrades,
    fix: describeFix(group, upgrades),
    isFixable: upgrades.some((each) => each !== undefined) || group.some(isPinnable),
  }
}

/** Finds the version that fixes an issue on all paths at once; undefined unless the package manager can pin it. */
function findPin(group: readonly (Vulnerability | LicenseIssue)[]): Upgrade | undefined {
  const found = group.find(isPinnable)
  if (found?.pin === undefined) return undefined
  const { package: name, version, pin } = found
  return { from: `${name}@${version}`, to: `${name}@${pin.version}`, kind: 'pin' }
}

function isPinnable(issue: Vulnerability | LicenseIssue): issue is Vulnerability {
  return issue.type === 'vuln' && issue.isPinnable
}

/** Finds the first package that changes; those before it stay. */
export function toUpgrade({ from, upgradePath }: Vulnerability): Upgrade | undefined {
  const at = upgradePath.findIndex((each, index) => each !== from[index])
  if (at === -1 || from[at] === undefined) return undefined
  return { from: from[at], to: upgradePath[at]!, kind: at === 0 ? 'direct' : 'deep' }
}

export function describeFix(group: readonly (Vulnerability | LicenseIssue)[], upgrades: Finding['upgrades']): string {
  const first = group[0]!
  if (first.type === 'license')
    return first.instructions.join(' ') || 'Replace the package, or change the license policy.'
  const upgrade = upgrades.find((each) => each !== undefined)
  if (upgrade !== undefined) return describeUpgrade(upgrade, first.packageManager)
  if (first.fixedIn.length > 0) return `no upgrade leads to ${first.package} ${first.fixedIn.join(', ')}`
  return 'no fixed version is known'
}

/** Says what to do about a package below a direct dependency that stays, where no lockfile keeps it. */
const deepUpgrades: Readonly<Record<string, string>> = {
  maven: 'manage the version in dependencyManagement',
  gradle: 'add a constraint',
  sbt: 'add to dependencyOverrides',
}

export function describeUpgrade({ from, to, kind }: Upgrade, packageManager: string): string {
  const [was, becomes] = [splitName(from), splitName(to)]
  if (kind === 'pin') return `pin ${becomes.name} to ${becomes.version}`
  const change = was.name === becomes.name ? `${was.name} ${was.version} → ${becomes.version}` : `${from} → ${to}`
  if (kind === 'direct') return `upgrade ${change}`
  return `${deepUpgrades[packageManager] ?? 'renew the lockfile'}: ${change}`
}

/** The version begins after the last `@`, for names of npm scopes begin with one. */
export function splitName(text: string): { name: string; version: string } {
  const at = text.lastIndexOf('@')
  return at <= 0 ? { name: text, version: '' } : { name: text.slice(0, at), version: text.slice(at + 1) }
}

function compareFindings(a: Finding, b: Finding): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    Number(b.isExploited) - Number(a.isExploited) ||
    (a.package < b.package ? -1 : a.package > b.package ? 1 : 0) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}

/** Counts by severity, as in "2 critical, 1 low". */
export function countBySeverity(findings: readonly Pick<Finding, 'severity'>[]): string {
  return severities
    .map((severity) => ({ severity, count: findings.filter((each) => each.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}`)
    .join(', ')
}
