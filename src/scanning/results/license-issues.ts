import type { DependencyGraph } from '#analysis/dependency-graph.ts'
import { judgeLicense, type LicenseOffense, type LicensePolicy } from '#analysis/licenses/judge-license.ts'
import { factsOf, type Registry } from '#analysis/registry-facts.ts'
import { managerOf, type PackageManager, type TestedEcosystem } from '../reading/package-managers.ts'
import type { TestContext } from './context.ts'
import type { FindDeclaration } from './declarations.ts'
import type { Licenses, PackageLicense } from './find-licenses.ts'
import { type PathBounds, showPaths, toFrom } from './shown-paths.ts'
import type { DeclarationPlace, LicenseIssue, ShownPolicy } from './test-result.ts'
import { isWanted, severityOrder } from './vulnerabilities.ts'

/** Limits on the paths of one license issue and on all entries together: a policy may object to every package. */
const BOUNDS: PathBounds = { pathsOfOne: 20, bytes: 500_000 }
const ENTRY_BYTES = 500

/** A package with a license that the policy objects to. */
export interface JudgedLicense extends PackageLicense {
  readonly offense: LicenseOffense
}

/** Returns the licenses to which the organization's policy objects, at or above the requested severity. */
export function judgeLicenses({ packages }: Licenses, { licensePolicy, task }: TestContext): JudgedLicense[] {
  if (licensePolicy === undefined) return []
  return packages
    .flatMap((license) => judgeLicense(license.expression, licensePolicy).map((offense) => ({ ...license, offense })))
    .filter(({ offense }) => isWanted(offense.severity, task))
}

/** Lists one entry for each path to each package to whose license the policy objects, most severe first. */
export function listLicenseIssues(
  { graph, findDeclaration }: { readonly graph: DependencyGraph; readonly findDeclaration: FindDeclaration },
  judged: readonly JudgedLicense[],
  { ecosystem }: TestContext,
): { licenses: LicenseIssue[]; boundsMet: string[] } {
  const issues = judged
    .map((license) => ({ ...license, manager: managerOfPackage(license, ecosystem) }))
    .map((license) => ({
      ...license,
      id: toLicenseIssueId(ecosystem.packageManager, license.distinct.package.name, license.offense),
    }))
    .sort(
      (a, b) =>
        severityOrder.indexOf(a.offense.severity) - severityOrder.indexOf(b.offense.severity) ||
        (a.id < b.id ? -1 : a.id > b.id ? 1 : 0) ||
        a.manager.versions.compare(a.distinct.package.version, b.distinct.package.version),
    )
  const inGraph = issues.map(({ distinct: { nodes }, id }) => ({ nodes, name: id, entryBytes: ENTRY_BYTES }))
  const { shown, boundsMet } = showPaths(graph, inGraph, BOUNDS)
  const licenses = issues.flatMap((issue, at) => {
    const { paths, count } = shown[at]!
    return paths.map((path) =>
      toIssue({ ...issue, count, declaration: findDeclaration(path[0]!) }, toFrom(graph, path), issue.manager),
    )
  })
  return { licenses, boundsMet }
}

/** Returns the package manager of a package; without a registry, that of the project. */
function managerOfPackage({ distinct: { node } }: PackageLicense, ecosystem: TestedEcosystem): PackageManager {
  const { registry = ecosystem.registry } = node
  return registry === 'none' ? ecosystem : managerOf(ecosystem, registry)
}

/** `lic:<package manager>:<package>:<license>`, without slashes so that it is one part of a path. */
export function toLicenseIssueId(
  packageManager: string,
  name: string,
  { license = 'unknown' }: LicenseOffense,
): string {
  return `lic:${packageManager}:${name.replaceAll('/', ':')}:${license.replaceAll(' ', '-')}`
}

export function toLicenseTitle({ license = 'Unknown' }: LicenseOffense): string {
  return `${license} license`
}

/** Returns the range of all versions, from zero, in the syntax of a registry. */
export function everyVersion(registry: Registry): string {
  const { ranges } = factsOf(registry)
  return typeof ranges === 'string' ? '[0,)' : `>=${ranges.gap}0`
}

interface ShownIssue extends JudgedLicense {
  readonly id: string
  readonly count: number
  readonly declaration: DeclarationPlace | undefined
}

function toIssue(
  { id, distinct, offense, count, declaration }: ShownIssue,
  from: string[],
  { language, packageManager, registry }: PackageManager,
): LicenseIssue {
  const { license, severity, instructions } = offense
  return {
    id,
    url: licenseUrl(license),
    title: toLicenseTitle(offense),
    type: 'license',
    from,
    pathCount: count,
    ...(declaration !== undefined && { declaration }),
    package: distinct.package.name,
    version: distinct.package.version,
    severity,
    language,
    packageManager,
    semver: { vulnerable: [everyVersion(registry)], ...(registry === 'Go' && { vulnerableHashes: ['*'] }) },
    license: license ?? null,
    declaredLicense: distinct.node.license ?? null,
    instructions: [...instructions],
  }
}

export function licenseUrl(license: string | undefined): string {
  const id =
    license === undefined || !/^[\w.-]+$/.test(license) || license.startsWith('LicenseRef') ? '' : `${license}.html`
  return `https://spdx.org/licenses/${id}`
}

/** Returns the policy in the form that existing clients read, with our additions. */
export function showPolicy({ rules, unlisted, unknown }: LicensePolicy): ShownPolicy {
  const shown = rules.map(({ license, verdict: severity, instructions = '' }) => [
    license,
    { licenseType: license, severity, instructions },
  ])
  return {
    severities: {},
    orgLicenseRules: Object.fromEntries(shown),
    unlistedSeverity: unlisted,
    unknownSeverity: unknown,
  }
}
