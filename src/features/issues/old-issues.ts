import { toScore } from '#analysis/advisories/severity.ts'
import { toTime } from '#analysis/advisories/vulnerability.ts'
import { toFullUpgradePath } from '#scanning/results/full-upgrade-path.ts'
import { everyVersion, licenseUrl } from '#scanning/results/license-issues.ts'
import { signalsOf, toFunctions } from '#scanning/results/vulnerabilities.ts'
import type { AdvisoryTexts } from './advisory-texts.ts'
import { type PackageIssue, selectIssues, toIdentifiers } from './aggregate-issues.ts'
import { toIgnoreReason } from './ignore-reason.ts'
import { type IgnoresByIssue, ignoresOfPath } from './path-ignores.ts'
import { type IssuePlace, managerOfPlace, type ReadIssues } from './project-issues.ts'
import { createProjectPaths } from './project-paths.ts'
import type { IssueFilters, OldIssues } from './v1-issue-resource.ts'

/** Maximum number of paths listed per issue and package. */
const MAX_PATHS = 100

export interface OldIssuesInput {
  readonly filters: IssueFilters
  readonly ignores: IgnoresByIssue
  readonly texts: ReadonlyMap<string, AdvisoryTexts>
  readonly dependencyCount: number
  issueUrl(issueId: string): string
}

/** Returns one entry per path, in the format of package tests: the format of clients before issues were aggregated. */
export function listOldIssues(read: ReadIssues, input: OldIssuesInput): OldIssues {
  const paths = createProjectPaths(read.graph)
  const { ignored, ...filters } = input.filters
  const entries = selectIssues(read, { filters, paths }).shown.flatMap((packageIssue) =>
    packageIssue.places.flatMap((place) =>
      paths
        .to(place.package, MAX_PATHS)
        .paths.map((path) => toEntry(packageIssue, { place, path: paths.textOf(path), read, input })),
    ),
  )
  const shown = entries.filter((entry) => ignored === undefined || entry.marks.isIgnored === ignored)
  const vulnerabilities = shown.flatMap((entry) =>
    entry.vulnerability ? [{ ...entry.vulnerability, ...entry.marks }] : [],
  )
  const licenses = shown.flatMap((entry) => (entry.license ? [{ ...entry.license, ...entry.marks }] : []))
  return {
    ok: shown.length === 0,
    packageManager: read.manager.packageManager,
    dependencyCount: input.dependencyCount,
    issues: { vulnerabilities, licenses },
  }
}

interface On {
  readonly place: IssuePlace
  readonly path: string[]
  readonly read: ReadIssues
  readonly input: OldIssuesInput
}

function toEntry(packageIssue: PackageIssue, on: On) {
  const { issue } = packageIssue
  const reasons = ignoresOfPath(on.read, { issue, ignores: on.input.ignores }, on)
  const marks = {
    isIgnored: reasons.length > 0,
    isPatched: false,
    ...(reasons.length > 0 && { ignored: reasons.map(toIgnoreReason) }),
    priorityScore: packageIssue.priority.score,
  }
  if (packageIssue.issue.type === 'vuln')
    return { marks, vulnerability: toVulnerability(packageIssue, on), license: undefined }
  return { marks, vulnerability: undefined, license: toLicense(packageIssue, on) }
}

function toVulnerability({ issue }: PackageIssue, { place, path, read, input }: On) {
  const facts = issue.facts!
  const { advice } = place
  const at = advice?.upgradedPaths.findIndex((upgraded) => upgraded.join('\n') === path.join('\n')) ?? -1
  const { name, version } = place
  const advised = { from: path, upgradePath: advice?.upgradePaths[at] ?? [] }
  const finding = { ...advised, package: name, version, fixedIn: facts.fixedIn }
  const manager = managerOfPlace(read, place)
  const upgradePath = toFullUpgradePath(finding, manager.versions)
  const texts = input.texts.get(issue.id)
  return {
    id: issue.id,
    url: input.issueUrl(issue.id),
    title: issue.title,
    type: 'vuln' as const,
    description: texts?.description ?? '',
    functions: toFunctions({ functions: texts?.functions ?? [], vulnerable: facts.vulnerable }, manager),
    from: path,
    package: name,
    version,
    severity: issue.severity,
    severityBasis: facts.basis,
    exploitMaturity: facts.exploitMaturity,
    ...signalsOf({ ...facts, ...issue.epss }),
    language: manager.language,
    packageManager: manager.packageManager,
    semver: { vulnerable: [...facts.vulnerable] },
    publicationTime: toTime(facts.publicationTime),
    disclosureTime: toTime(facts.disclosureTime),
    isUpgradable: upgradePath.length > 0,
    isPatchable: false,
    isPinnable: advice?.isPinnable ?? false,
    identifiers: toIdentifiers(facts),
    credit: [...facts.credit],
    CVSSv3: facts.cvssV3 ?? '',
    ...toScore({ severity: issue.severity, cvssScore: facts.cvssScore }),
    patches: [],
    upgradePath,
    fixedIn: [...facts.fixedIn],
    references: [...(texts?.references ?? [])],
  }
}

function toLicense({ issue }: PackageIssue, { place, path, read }: On) {
  const { license, instructions } = issue.offense!
  const manager = managerOfPlace(read, place)
  return {
    id: issue.id,
    url: licenseUrl(license),
    title: issue.title,
    type: 'license' as const,
    from: path,
    package: place.name,
    version: place.version,
    severity: issue.severity,
    language: manager.language,
    packageManager: manager.packageManager,
    semver: { vulnerable: [everyVersion(manager.registry)] },
    license: license ?? null,
    declaredLicense: read.graph.packages[place.package]!.license ?? null,
    instructions: [...instructions],
  }
}
