import type { Severity } from '#analysis/advisories/cvss.ts'
import type { ExploitSignals } from '#analysis/advisories/exploit-signals.ts'
import { normalizeName } from '#analysis/advisories/package-names.ts'
import { toScore } from '#analysis/advisories/severity.ts'
import type { VulnerabilityFacts } from '#analysis/advisories/vulnerability.ts'
import type { Package } from '#analysis/dependency-graph.ts'
import type { Reading } from '#analysis/ecosystems/ecosystem.ts'
import { toSeverityNumber } from '#analysis/findings/known-issue.ts'
import type { AffectedPackage } from '#analysis/findings/match-graph.ts'
import type { Pin } from '#analysis/findings/pin.ts'
import { comparePriority, type PriorityFacts } from '#analysis/findings/priority.ts'
import { createUpgradeSearch, type UpgradeNeed, type UpgradeSearch } from '#analysis/findings/upgrade-search.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { fixAbove, recommendableFixes } from '#analysis/versions/prerelease.ts'
import { managerOf, type PackageManager, type TestedEcosystem } from '../reading/package-managers.ts'
import type { TestContext } from './context.ts'
import type { FindDeclaration } from './declarations.ts'
import { findSeverityPolicy } from './org-policies.ts'
import { type PathBounds, showPaths, toFrom } from './shown-paths.ts'
import type { DeclarationPlace, Vulnerability } from './test-result.ts'

/** Limits on the paths of one vulnerability of one package, and on all entries together. */
const RESULT_BOUNDS: PathBounds = { pathsOfOne: 100, bytes: 1_500_000 }
/** Limits for stored results, which contain the upgrades of paths instead of entries. */
const STORED_BOUNDS: PathBounds = { pathsOfOne: 1_000, bytes: 5_000_000 }
/** Size of an entry without its texts, in bytes. */
const ENTRY_BYTES = 1_200
const STORED_ENTRY_BYTES = 500
/** Limits on reading a project again to verify upgrades, for all upgrades and for one direct dependency. */
const MAX_WHAT_IFS = 400
const MAX_WHAT_IFS_PER_PACKAGE = 60

export const severityOrder: readonly Severity[] = ['critical', 'high', 'medium', 'low']

/** Returns true if the severity reaches the caller's threshold. */
export function isWanted(severity: Severity, { severityThreshold = 'low' }: TestContext['task']): boolean {
  return severityOrder.indexOf(severity) <= severityOrder.indexOf(severityThreshold)
}

/** A vulnerability of a package of the project. */
export interface VulnerabilityIssue {
  readonly affected: AffectedPackage
  /** With the severity that a policy of the organization sets. */
  readonly facts: VulnerabilityFacts
  readonly severityChange: Vulnerability['severityChange'] | undefined
  /**
   * Fixed versions of this or another vulnerability of the package that no record of this one affects; pre-releases
   * only if the current version is one.
   */
  readonly fixes: readonly string[]
  readonly priority: PriorityFacts
  isAffected(version: string): boolean
}

/** Returns the issues by priority, then by id, package and version. */
export function toIssues(
  affected: readonly AffectedPackage[],
  { graph }: Pick<Reading, 'graph'>,
  context: TestContext,
): VulnerabilityIssue[] {
  const direct = new Set(graph.nodes[0]?.edges.map(({ to }) => to))
  const { advisories, ecosystem, task } = context
  const issues = affected.flatMap((affectedPackage) => {
    const { advisoryName: name, registry } = affectedPackage
    const { versions } = managerOf(ecosystem, registry)
    const described = affectedPackage.matches.map((match) => advisories.describe(match, { registry, name }))
    // The fix of another vulnerability may be the first version without any.
    const fixedIn = [...new Set(described.flatMap((facts) => facts.fixedIn))]
    const fixes = recommendableFixes(fixedIn, affectedPackage.package.version, versions)
    return affectedPackage.matches.map((match, at): VulnerabilityIssue => {
      const isAffected = (version: string) =>
        advisories.snapshot
          .affecting(registry, name, version)
          .some((other) => [other.record, ...other.others].includes(match.record))
      const helpful = fixes.filter((version) => !isAffected(version))
      const { facts, severityChange } = applyPolicies(described[at]!, affectedPackage, context)
      const isDirect = affectedPackage.nodes.some((node) => direct.has(node))
      const priority = toPriority(facts, isDirect)
      return { affected: affectedPackage, facts, severityChange, priority, fixes: helpful, isAffected }
    })
  })
  return issues.filter(({ facts }) => isWanted(facts.severity, task)).sort(compareIssues(ecosystem))
}

function applyPolicies(
  facts: VulnerabilityFacts,
  { package: { name, version }, registry }: AffectedPackage,
  { task }: TestContext,
): Pick<VulnerabilityIssue, 'facts' | 'severityChange'> {
  const { id: issueId, severity: originalSeverity } = facts
  const coordinate = { registry, name: normalizeName(registry, name), version }
  const policy = findSeverityPolicy(task, {
    ...coordinate,
    issueId,
    facts,
    severity: toSeverityNumber(originalSeverity),
  })
  if (!policy) return { facts, severityChange: undefined }
  const { severity, ...identity } = policy
  return { facts: { ...facts, severity }, severityChange: { originalSeverity, policy: identity } }
}

/** Lists one entry for each path of each vulnerability, with the upgrade that fixes it. */
export async function listVulnerabilities(
  { graph, locked, unresolved, findDeclaration }: Reading & { readonly findDeclaration: FindDeclaration },
  issues: readonly VulnerabilityIssue[],
  { ecosystem, task, resolver, isLate, advisories }: TestContext,
): Promise<{ vulnerabilities: Vulnerability[]; boundsMet: string[] }> {
  const isStored = task.form === 'project'
  const inGraph = issues.map((issue) => ({
    nodes: issue.affected.nodes,
    name: nameIssue(issue),
    entryBytes: isStored ? STORED_ENTRY_BYTES : bytesOf(issue),
  }))
  const paths = showPaths(graph, inGraph, isStored ? STORED_BOUNDS : RESULT_BOUNDS)
  const shown = issues.flatMap((issue, at) => {
    const { paths: own, count } = paths.shown[at]!
    return own.map((path) => ({ issue, path, count, need: toNeed(issue, path) }))
  })
  const limits = { whatIfs: MAX_WHAT_IFS, whatIfsPerPackage: MAX_WHAT_IFS_PER_PACKAGE, isOver: isLate }
  const managers = new Map(issues.map(({ affected: { registry } }) => [registry, managerOf(ecosystem, registry)]))
  const searches = new Map<Registry, UpgradeSearch>()
  for (const [registry, { versions: scheme, fixAdvice }] of managers) {
    const isAffected = ({ name, version }: Package) => advisories.snapshot.affecting(registry, name, version).length > 0
    const search = createUpgradeSearch({ graph, locked, unresolved, scheme, resolver, isAffected, limits })
    searches.set(registry, search)
    const own = shown.filter(({ issue }) => issue.affected.registry === registry)
    if (fixAdvice !== 'none') await search.prefetch(own.map(({ need }) => need))
  }
  const vulnerabilities: Vulnerability[] = []
  for (const { issue, path, count, need } of shown) {
    const { registry } = issue.affected
    const manager = managers.get(registry)!
    const advice = await findAdvice(searches.get(registry)!, { need, nodes: issue.affected.nodes }, manager)
    const declaration = findDeclaration(path[0]!)
    const ownProjects = path.findIndex((index) => !graph.nodes[index]!.isProject)
    const place = { from: toFrom(graph, path), count, ownProjects, declaration }
    vulnerabilities.push(toVulnerability(issue, { ...place, advice, ecosystem: manager }))
  }
  const boundsMet = new Set(searches.values().flatMap((search) => search.boundsMet()))
  return { vulnerabilities, boundsMet: [...paths.boundsMet, ...boundsMet] }
}

async function findAdvice(
  search: UpgradeSearch,
  { need, nodes }: { need: UpgradeNeed; nodes: readonly number[] },
  { fixAdvice }: PackageManager,
): Promise<Advice> {
  if (fixAdvice === 'pin') return { upgradePath: [], upgradesWith: [], pin: await search.pin(need, nodes) }
  if (fixAdvice === 'none') return { upgradePath: [], upgradesWith: [], pin: undefined }
  const upgradePath = await search.find(need)
  return { upgradePath, upgradesWith: await search.listTogether(need, upgradePath), pin: undefined }
}

function toNeed({ affected, facts, fixes, isAffected }: VulnerabilityIssue, path: readonly number[]): UpgradeNeed {
  return { path, fixes, affected: { key: facts.id, name: affected.package.name, affects: isAffected } }
}

function bytesOf({ facts: { description, references } }: VulnerabilityIssue): number {
  return references.reduce((sum, { url }) => sum + url.length, ENTRY_BYTES + description.length)
}

function nameIssue({ affected, facts }: VulnerabilityIssue): string {
  const { name, version } = affected.package
  return `${facts.id} in ${name}@${version}`
}

function toPriority(facts: VulnerabilityFacts, isDirect: boolean): PriorityFacts {
  const { cvssScore } = toScore(facts)
  return { ...facts, cvssScore, isDirect, hasFix: facts.fixedIn.length > 0 }
}

function compareIssues(ecosystem: TestedEcosystem) {
  const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return (a: VulnerabilityIssue, b: VulnerabilityIssue) =>
    comparePriority(a.priority, b.priority) ||
    text(a.facts.id, b.facts.id) ||
    text(a.affected.package.name, b.affected.package.name) ||
    text(a.affected.registry, b.affected.registry) ||
    managerOf(ecosystem, a.affected.registry).versions.compare(a.affected.package.version, b.affected.package.version)
}

export function toUrl({ id }: VulnerabilityFacts): string {
  return `https://osv.dev/vulnerability/${encodeURIComponent(id)}`
}

/** The remedies of a vulnerability. */
interface Advice {
  readonly upgradePath: readonly string[]
  /** Other direct dependencies that move with the upgraded one, as `name@version`. */
  readonly upgradesWith: readonly string[]
  readonly pin: Pin | undefined
}

interface Entry {
  readonly from: string[]
  readonly count: number
  /** The number of projects of the repository at the start of the path; -1 for all of it. */
  readonly ownProjects: number
  readonly declaration: DeclarationPlace | undefined
  readonly advice: Advice
  readonly ecosystem: PackageManager
}

function toVulnerability(
  { affected, facts, severityChange }: VulnerabilityIssue,
  { from, count, ownProjects, declaration, advice, ecosystem }: Entry,
): Vulnerability {
  const { name, version } = affected.package
  const { upgradePath, upgradesWith, pin } = advice
  const nearest = fixAbove(facts.fixedIn, [version], ecosystem.versions)
  return {
    id: facts.id,
    url: toUrl(facts),
    title: facts.title,
    type: 'vuln',
    description: facts.description,
    functions: toFunctions(facts, ecosystem),
    from,
    pathCount: count,
    ...(declaration !== undefined && { declaration }),
    package: name,
    version,
    severity: facts.severity,
    severityBasis: facts.basis,
    ...(severityChange && { severityChange }),
    exploitMaturity: facts.exploitMaturity,
    ...signalsOf(facts),
    language: ecosystem.language,
    packageManager: ecosystem.packageManager,
    semver: toSemver(facts, ecosystem),
    publicationTime: facts.publicationTime,
    disclosureTime: facts.disclosureTime,
    isUpgradable: upgradePath.length > 0,
    isPatchable: false,
    isPinnable: pin !== undefined && pin.forbiddenBy.length === 0,
    identifiers: { CVE: [...facts.cve], CWE: [...facts.cwe], GHSA: [...facts.ghsa], ALTERNATIVE: [...facts.otherIds] },
    credit: [...facts.credit],
    CVSSv3: facts.cvssV3 ?? '',
    ...(facts.cvssV2 !== undefined && { CVSSv2: facts.cvssV2 }),
    ...(facts.cvssV4 !== undefined && { CVSSv4: facts.cvssV4 }),
    ...toScore(facts),
    patches: [],
    upgradePath: [...upgradePath],
    ...(ownProjects > 0 && { ownProjects }),
    ...(upgradesWith.length > 0 && { upgradesWith: [...upgradesWith] }),
    ...(pin !== undefined && { pin: { ...pin, forbiddenBy: [...pin.forbiddenBy], notKnownOf: [...pin.notKnownOf] } }),
    fixedIn: [...facts.fixedIn],
    ...(nearest !== undefined && { nearestFixedInVersion: nearest }),
    references: facts.references.map(({ url }) => url),
  }
}

/** Returns the members about exploitation; unknown ones are absent. */
export function signalsOf(signals: ExploitSignals): ExploitSignals {
  const { isExploited, exploitedSince, exploitDue, epssScore, epssPercentile } = signals
  return {
    isExploited,
    ...(exploitedSince !== undefined && { exploitedSince }),
    ...(exploitDue !== undefined && { exploitDue }),
    ...(epssScore !== undefined && { epssScore }),
    ...(epssPercentile !== undefined && { epssPercentile }),
  }
}

/** Returns functions as members of classes for Java, else of files or packages (interface facts §v1 test). */
export function toFunctions(
  { functions, vulnerable }: Pick<VulnerabilityFacts, 'functions' | 'vulnerable'>,
  { registry }: Pick<TestedEcosystem, 'registry'>,
): Vulnerability['functions'] {
  return functions.map(({ place, name }) => ({
    functionId: { ...(registry === 'Maven' ? { className: place } : { filePath: place }), functionName: name },
    version: [...vulnerable],
  }))
}

/** Returns affected version ranges, for Go with the affected commits. */
function toSemver(facts: VulnerabilityFacts, { registry }: PackageManager): Vulnerability['semver'] {
  const vulnerable = [...facts.vulnerable]
  if (registry !== 'Go') return { vulnerable }
  return { vulnerable, hashesRange: [...facts.hashesRange], vulnerableHashes: [...facts.vulnerableHashes] }
}
