import { schemes } from '#analysis/advisories/schemes.ts'
import { toScore } from '#analysis/advisories/severity.ts'
import { toTime } from '#analysis/advisories/vulnerability.ts'
import { toFullUpgradePath } from '#features/package-tests/full-upgrade-path.ts'
import { everyVersion, licenceUrl } from '#features/package-tests/licence-issues.ts'
import { toFunctions } from '#features/package-tests/vulnerabilities.ts'
import type { AdvisoryTexts } from './advisory-texts.ts'
import { type PackageIssue, selectIssues, toIdentifiers } from './aggregate-issues.ts'
import { toIgnoreReason } from './ignore-reason.ts'
import { type IgnoresByIssue, ignoresOfPath } from './path-ignores.ts'
import type { IssuePlace, ReadIssues } from './project-issues.ts'
import { createProjectPaths } from './project-paths.ts'
import type { IssueFilters, OldIssues } from './v1-issue-resource.ts'

/** Paths that are listed of one issue in one package. */
const MAX_PATHS = 100

export interface Wanted {
  readonly filters: IssueFilters
  readonly ignores: IgnoresByIssue
  readonly texts: ReadonlyMap<string, AdvisoryTexts>
  readonly dependencyCount: number
  issueUrl(issueId: string): string
}

/** One entry for each path, in the form of package tests: what clients asked for before issues were aggregated. */
export function listOldIssues(read: ReadIssues, wanted: Wanted): OldIssues {
  const paths = createProjectPaths(read.graph)
  const { ignored, ...filters } = wanted.filters
  const entries = selectIssues(read, { filters, paths }).shown.flatMap((found) =>
    found.places.flatMap((place) =>
      paths
        .to(place.package, MAX_PATHS)
        .paths.map((path) => toEntry(found, { place, path: paths.textOf(path), read, wanted })),
    ),
  )
  const shown = entries.filter((entry) => ignored === undefined || entry.marks.isIgnored === ignored)
  const vulnerabilities = shown.flatMap((entry) =>
    entry.vulnerability ? [{ ...entry.vulnerability, ...entry.marks }] : [],
  )
  const licenses = shown.flatMap((entry) => (entry.licence ? [{ ...entry.licence, ...entry.marks }] : []))
  return {
    ok: shown.length === 0,
    packageManager: read.manager.packageManager,
    dependencyCount: wanted.dependencyCount,
    issues: { vulnerabilities, licenses },
  }
}

interface On {
  readonly place: IssuePlace
  readonly path: string[]
  readonly read: ReadIssues
  readonly wanted: Wanted
}

function toEntry(found: PackageIssue, on: On) {
  const { issue } = found
  const reasons = ignoresOfPath(on.read, { issue, ignores: on.wanted.ignores }, on)
  const marks = {
    isIgnored: reasons.length > 0,
    isPatched: false,
    ...(reasons.length > 0 && { ignored: reasons.map(toIgnoreReason) }),
    priorityScore: found.priority.score,
  }
  if (found.issue.type === 'vuln') return { marks, vulnerability: toVulnerability(found, on), licence: undefined }
  return { marks, vulnerability: undefined, licence: toLicence(found, on) }
}

function toVulnerability({ issue }: PackageIssue, { place, path, read, wanted }: On) {
  const facts = issue.facts!
  const { advice } = place
  const at = advice?.upgradedPaths.findIndex((upgraded) => upgraded.join('\n') === path.join('\n')) ?? -1
  const { name, version } = place
  const asked = {
    from: path,
    upgradePath: advice?.upgradePaths[at] ?? [],
    package: name,
    version,
    fixedIn: facts.fixedIn,
  }
  const upgradePath = toFullUpgradePath(asked, schemes[read.manager.registry])
  const texts = wanted.texts.get(issue.id)
  return {
    id: issue.id,
    url: wanted.issueUrl(issue.id),
    title: issue.title,
    type: 'vuln' as const,
    description: texts?.description ?? '',
    functions: toFunctions({ functions: texts?.functions ?? [], vulnerable: facts.vulnerable }, read.manager),
    from: path,
    package: name,
    version,
    severity: issue.severity,
    severityBasis: facts.basis,
    exploitMaturity: facts.exploitMaturity,
    language: read.manager.language,
    packageManager: read.manager.packageManager,
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

function toLicence({ issue }: PackageIssue, { place, path, read }: On) {
  const { licence, instructions } = issue.offence!
  return {
    id: issue.id,
    url: licenceUrl(licence),
    title: issue.title,
    type: 'license' as const,
    from: path,
    package: place.name,
    version: place.version,
    severity: issue.severity,
    language: read.manager.language,
    packageManager: read.manager.packageManager,
    semver: { vulnerable: [everyVersion[read.manager.registry]] },
    license: licence ?? null,
    declaredLicense: read.graph.packages[place.package]!.licence ?? null,
    instructions: [...instructions],
  }
}
