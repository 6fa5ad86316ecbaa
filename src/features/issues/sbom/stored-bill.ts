import { toScore } from '#analysis/advisories/severity.ts'
import { toTime } from '#analysis/advisories/vulnerability.ts'
import { describeUpgrade } from '#analysis/findings/describe-fix.ts'
import { isKnown, parseLicense } from '#analysis/licenses/license-expression.ts'
import type { IgnoreRow } from '#features/issue-index/ignores/ignored-store.ts'
import type { Assessment, Bill, BillVulnerability, Component, StoredProject } from '#features/reports/bill.ts'
import { toAdvice, toPlace } from '#features/reports/tested-bill.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { Coverage } from '#scanning/results/test-result.ts'
import { signalsOf } from '#scanning/results/vulnerabilities.ts'
import type { AdvisoryTexts } from '../advisory-texts.ts'
import { toIdentifiers } from '../aggregate-issues.ts'
import { listUpgrades } from '../fix-info.ts'
import type { IgnoresByIssue } from '../path-ignores.ts'
import { type IssuePlace, managerOfPlace, type ProjectIssue, type ReadIssues } from '../project-issues.ts'

export interface StoredBillInput {
  readonly project: StoredProject & { readonly name: string }
  readonly coverage: Coverage
  readonly ignores: IgnoresByIssue
  readonly texts: ReadonlyMap<string, AdvisoryTexts>
  readonly withLicenses: boolean
  issueUrl(issueId: string): string
}

export function toStoredBill(read: ReadIssues, input: StoredBillInput): Bill {
  const { graph, issues, manager } = read
  const { project, coverage, withLicenses } = input
  const licenseIssues = withLicenses ? listLicenseIssues(issues) : new Map<number, string[]>()
  return {
    name: project.name,
    version: graph.packages[0]?.version ?? '',
    stored: project,
    components: graph.packages.slice(1).map(
      ({ name, version, registry, license }, at): Component => ({
        package: { name, version },
        ...toPlace({ package: { name, version }, ...(registry && { registry }) }, manager),
        ...(withLicenses && license !== undefined && { license: toLicense(license) }),
        licenseIssues: licenseIssues.get(at + 1) ?? [],
      }),
    ),
    nodes: graph.nodes.map((node) => ({ component: node.package - 1, edges: node.edges })),
    vulnerabilities: issues
      .filter(({ type }) => type === 'vuln')
      .map((issue) => toVulnerability(issue, { ...input, read })),
    coverage,
  }
}

function toLicense(text: string) {
  const expression = parseLicense(text)
  return { text, isSpdx: expression !== undefined && isKnown(expression) }
}

/** The violations of each package, by its index in the graph. */
function listLicenseIssues(issues: readonly ProjectIssue[]): Map<number, string[]> {
  const sentencesByPackage = new Map<number, string[]>()
  for (const { type, severity, title, places, isIgnored } of issues) {
    if (type !== 'license') continue
    const sentence = `${severity}: ${title}${isIgnored ? ' (ignored)' : ''}`
    for (const place of places)
      sentencesByPackage.set(place.package, [...(sentencesByPackage.get(place.package) ?? []), sentence])
  }
  return sentencesByPackage
}

function toVulnerability(
  issue: ProjectIssue,
  { texts, ignores, issueUrl, read }: StoredBillInput & { readonly read: ReadIssues },
): BillVulnerability {
  const { id, title, severity, places } = issue
  const facts = issue.facts!
  const text = texts.get(id)
  const { cvssScore, cvssScoreBasis } = toScore({ severity, cvssScore: facts.cvssScore })
  const vector = facts.cvssV3 ?? facts.cvssV4 ?? facts.cvssV2
  const assessment = toAssessment(issue, ignores.get(id) ?? [])
  return {
    id,
    url: issueUrl(id),
    title,
    description: text?.description ?? '',
    severity,
    exploitMaturity: facts.exploitMaturity,
    ...signalsOf({ ...facts, ...issue.epss }),
    identifiers: toIdentifiers(facts),
    references: [...(text?.references ?? [])],
    publicationTime: toTime(facts.publicationTime),
    credit: [...facts.credit],
    fixedIn: [...facts.fixedIn],
    isExploited: facts.isExploited,
    rating: cvssScoreBasis === 'vector' && vector !== undefined ? { score: cvssScore, vector } : undefined,
    advice: [...new Set(places.flatMap((place) => listAdvice(place, managerOfPlace(read, place).id)))],
    components: [...new Set(places.map((place) => place.package - 1))],
    ...(assessment && { assessment }),
  }
}

function listAdvice(place: IssuePlace, packageManager: string): string[] {
  const { advice, pinTo } = place
  if (pinTo !== undefined) return listUpgrades(place).map((pin) => describeUpgrade(pin, packageManager))
  return (advice?.upgradedPaths ?? []).flatMap((from, at) =>
    toAdvice({ from, upgradePath: advice!.upgradePaths[at]! }, packageManager),
  )
}

/** In order of precedence: of several reasons, the most cautious wins. */
const verdicts = ['temporary-ignore', 'wont-fix', 'not-vulnerable'] as const

function toAssessment({ isIgnored }: ProjectIssue, rows: readonly IgnoreRow[]): Assessment | undefined {
  if (rows.length === 0) return undefined
  const verdict =
    verdicts.find((verdict) => rows.some(({ reason_type }) => reason_type === verdict)) ?? 'temporary-ignore'
  return { verdict: isIgnored ? verdict : 'partial', text: rows.map((row) => describe(row, isIgnored)).join('\n') }
}

function describe({ reason, reason_type, path, expires_at, ignored_by_name }: IgnoreRow, isIgnored: boolean): string {
  const on = isIgnored && path === '*' ? '' : `, on ${path}`
  const until = expires_at === null ? '' : `, until ${toTimestamp(Number(expires_at))}`
  return `Ignored by ${ignored_by_name} (${reason_type}${on}${until})${reason === '' ? '' : `: ${reason}`}`
}
