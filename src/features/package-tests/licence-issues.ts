import type { DependencyGraph } from '#analysis/dependency-graph.ts'
import type { Registry } from '#analysis/ecosystems/ecosystem.ts'
import { judgeLicence, type LicenceOffence, type LicencePolicy } from '#analysis/licences/judge-licence.ts'
import type { TestContext, TestedEcosystem } from './context.ts'
import type { Licences, PackageLicence } from './find-licences.ts'
import type { LicenceIssue, ShownPolicy } from './resource.ts'
import { type PathBounds, showPaths, toFrom } from './shown-paths.ts'
import { isWanted, severityOrder } from './vulnerabilities.ts'

/** Paths shown of one license of one package, and what all entries may take: a policy may object to every package. */
const BOUNDS: PathBounds = { pathsOfOne: 20, bytes: 500_000 }
const ENTRY_BYTES = 500

/** One entry for each path to each package whose licence the policy objects to: the worst first. */
export function listLicenceIssues(
  graph: DependencyGraph,
  { packages }: Licences,
  { ecosystem, licencePolicy, task }: TestContext,
): { licences: LicenceIssue[]; boundsMet: string[] } {
  if (licencePolicy === undefined) return { licences: [], boundsMet: [] }
  const issues = packages
    .flatMap((each) => judgeLicence(each.expression, licencePolicy).map((offence) => ({ ...each, offence })))
    .filter(({ offence }) => isWanted(offence.severity, task))
    .map((each) => ({ ...each, id: toLicenceIssueId(ecosystem.packageManager, each.found.package.name, each.offence) }))
    .sort(
      (a, b) =>
        severityOrder.indexOf(a.offence.severity) - severityOrder.indexOf(b.offence.severity) ||
        (a.id < b.id ? -1 : a.id > b.id ? 1 : 0) ||
        ecosystem.versions.compare(a.found.package.version, b.found.package.version),
    )
  const found = issues.map(({ found: { nodes }, id }) => ({ nodes, name: id, entryBytes: ENTRY_BYTES }))
  const { shown, boundsMet } = showPaths(graph, found, BOUNDS)
  const licences = issues.flatMap((issue, at) => {
    const { paths, count } = shown[at]!
    return paths.map((path) => toIssue({ ...issue, count }, toFrom(graph, path), ecosystem))
  })
  return { licences, boundsMet }
}

/** `lic:<package manager>:<package>:<licence>`, without slashes so that it is one part of a path. */
export function toLicenceIssueId(
  packageManager: string,
  name: string,
  { licence = 'unknown' }: LicenceOffence,
): string {
  return `lic:${packageManager}:${name.replaceAll('/', ':')}:${licence.replaceAll(' ', '-')}`
}

export function toLicenceTitle({ licence = 'Unknown' }: LicenceOffence): string {
  return `${licence} license`
}

export const everyVersion: Readonly<Record<Registry, string>> = {
  npm: '>=0',
  Go: '>=0',
  RubyGems: '>= 0',
  PyPI: '[0,)',
  Maven: '[0,)',
}

function toIssue(
  { id, found, offence, count }: PackageLicence & { id: string; offence: LicenceOffence; count: number },
  from: string[],
  { language, packageManager, registry }: TestedEcosystem,
): LicenceIssue {
  const { licence, severity, instructions } = offence
  return {
    id,
    url: licenceUrl(licence),
    title: toLicenceTitle(offence),
    type: 'license',
    from,
    pathCount: count,
    package: found.package.name,
    version: found.package.version,
    severity,
    language,
    packageManager,
    semver: { vulnerable: [everyVersion[registry]], ...(registry === 'Go' && { vulnerableHashes: ['*'] }) },
    license: licence ?? null,
    declaredLicense: found.node.licence ?? null,
    instructions: [...instructions],
  }
}

export function licenceUrl(licence: string | undefined): string {
  const id =
    licence === undefined || !/^[\w.-]+$/.test(licence) || licence.startsWith('LicenseRef') ? '' : `${licence}.html`
  return `https://spdx.org/licenses/${id}`
}

/** As existing clients read it, with what we add. */
export function showPolicy({ rules, unlisted, unknown }: LicencePolicy): ShownPolicy {
  const shown = rules.map(({ licence, verdict: severity, instructions = '' }) => [
    licence,
    { licenseType: licence, severity, instructions },
  ])
  return {
    severities: {},
    orgLicenseRules: Object.fromEntries(shown),
    unlistedSeverity: unlisted,
    unknownSeverity: unknown,
  }
}
