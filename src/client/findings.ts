import {
  describeFix as describeVulnerabilityFix,
  splitName,
  toUpgrade,
  type Upgrade,
} from '#analysis/findings/describe-fix.ts'
import { comparePriority, type PriorityFacts, toPercent } from '#analysis/findings/priority.ts'
import type { ReferringVulnerability as Vulnerability } from '#scanning/results/referring-result.ts'
import type { LicenseIssue } from '#scanning/results/test-result.ts'
import type { TestedProject } from './test-document.ts'

export { splitName, toUpgrade }

export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

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
  /** The reasons for its place among the findings, such as "EPSS 94%"; most important first. */
  readonly reasons: readonly string[]
  readonly priority: PriorityFacts
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

/** Returns the findings of a project by priority. */
export function listFindings({ result, packageManager }: TestedProject): Finding[] {
  if (result === undefined) return []
  const issues = [...result.issues.vulnerabilities, ...result.issues.licenses]
  const groups = Map.groupBy(issues, ({ id, package: name, version }) => JSON.stringify([id, name, version]))
  return [...groups.values()].map((group) => toFinding(group, packageManager)).sort(compareFindings)
}

function toFinding(group: readonly (Vulnerability | LicenseIssue)[], packageManager: string): Finding {
  const first = group[0]!
  const pin = findPin(group)
  const upgrades = group.map((issue) => pin ?? (issue.type === 'vuln' ? toUpgrade(issue) : undefined))
  return {
    id: first.id,
    type: first.type,
    severity: first.severity,
    title: first.title,
    package: first.package,
    version: first.version,
    cves: first.type === 'vuln' ? first.identifiers.CVE : [],
    url: first.url,
    isExploited: first.type === 'vuln' && first.isExploited,
    reasons: first.type === 'vuln' ? toReasons(first) : [],
    priority: toPriority(first),
    paths: group.map(({ from }) => from),
    pathCount: Math.max(group.length, first.pathCount ?? 0),
    declarations: [
      ...new Set(group.flatMap(({ declaration: at }) => (at === undefined ? [] : [`${at.file}:${at.line}`]))),
    ],
    upgrades,
    fix: describeFix(group, upgrades, packageManager),
    isFixable: upgrades.some((upgrade) => upgrade !== undefined) || group.some(isPinnable),
  }
}

/** Finds the version that fixes an issue on all paths at once; undefined unless the package manager can pin it. */
function findPin(group: readonly (Vulnerability | LicenseIssue)[]): Upgrade | undefined {
  const issue = group.find(isPinnable)
  if (issue?.pin === undefined) return undefined
  const { package: name, version, pin } = issue
  return { from: `${name}@${version}`, to: `${name}@${pin.version}`, kind: 'pin' }
}

function isPinnable(issue: Vulnerability | LicenseIssue): issue is Vulnerability {
  return issue.type === 'vuln' && issue.isPinnable
}

export function describeFix(
  group: readonly (Vulnerability | LicenseIssue)[],
  upgrades: Finding['upgrades'],
  packageManager: string = group[0]!.packageManager,
): string {
  const first = group[0]!
  if (first.type === 'license')
    return first.instructions.join(' ') || 'Replace the package, or change the license policy.'
  const { package: name, nearestFixedInVersion: nearestFix } = first
  return describeVulnerabilityFix({ package: name, packageManager, nearestFix, upgrades })
}

function toReasons(vulnerability: Vulnerability): string[] {
  const { isExploited, exploitedSince, exploitDue, exploitMaturity, epssScore } = vulnerability
  return [
    ...(isExploited ? [exploitedSince === undefined ? 'exploited' : `exploited since ${exploitedSince}`] : []),
    ...(exploitDue === undefined ? [] : [`fix due ${exploitDue}`]),
    ...(!isExploited && exploitMaturity === 'mature' ? ['exploit code exists'] : []),
    ...(epssScore === undefined ? [] : [`EPSS ${toPercent(epssScore)}`]),
  ]
}

function toPriority(issue: Vulnerability | LicenseIssue): PriorityFacts {
  const { severity, from } = issue
  const isDirect = from.length === 1
  if (issue.type === 'license') return { isExploited: false, severity, cvssScore: 0, isDirect, hasFix: false }
  const { isExploited, epssScore, cvssScore, fixedIn } = issue
  return { isExploited, severity, epssScore, cvssScore, isDirect, hasFix: fixedIn.length > 0 }
}

function compareFindings(a: Finding, b: Finding): number {
  return (
    comparePriority(a.priority, b.priority) ||
    (a.package < b.package ? -1 : a.package > b.package ? 1 : 0) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}

/** Counts by severity, as in "2 critical, 1 low". */
export function countBySeverity(findings: readonly Pick<Finding, 'severity'>[]): string {
  return severities
    .map((severity) => ({ severity, count: findings.filter((finding) => finding.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}`)
    .join(', ')
}
