import type { VulnerabilityFacts } from '#analysis/advisories/vulnerability.ts'
import type { DependencyGraph } from '#analysis/dependency-graph.ts'
import type { Ecosystem, Reading } from '#analysis/ecosystems/ecosystem.ts'
import { type AffectedPackage, distinctPackages, matchGraph, undecided } from '#analysis/findings/match-graph.ts'
import { createPathFinder, type PathFinder } from '#analysis/findings/paths.ts'
import { upgradePath } from '#analysis/findings/upgrade.ts'
import type { OpenAdvisories } from '#features/advisories/open-advisories.ts'
import type { TestTask } from './messages.ts'
import type { Coverage, TestResult, Vulnerability } from './resource.ts'

/** Paths shown for one vulnerability of one package; of more, the shortest. */
const MAX_PATHS_PER_ISSUE = 1000
/** Paths shown in one result. */
const MAX_PATHS = 10_000
/** Packages named in all paths of one result: paths of a hostile project can be tens of thousands long. */
const MAX_STEPS = 200_000

const severityOrder = ['critical', 'high', 'medium', 'low']

interface Context {
  readonly task: TestTask
  readonly ecosystem: Ecosystem
  readonly advisories: OpenAdvisories
}

/** What is answered for a project that was read: the same input and advisories give the same bytes. */
export function toTestResult(read: Reading, context: Context): TestResult {
  const { graph } = read
  const { snapshot } = context.advisories
  const packages = distinctPackages(graph)
  const affected = matchGraph(packages, context.ecosystem, snapshot)
  const open = undecided(packages, context.ecosystem, { snapshot, affected })
  const reading = open.length === 0 ? read : { ...read, unresolved: [...read.unresolved, ...open] }
  const { vulnerabilities, boundsMet } = listVulnerabilities(graph, affected, context)
  const coverage = toCoverage(reading, { packages: packages.length, boundsMet, context })
  return {
    ok: vulnerabilities.length === 0 && (coverage.complete || context.task.acceptPartial),
    issues: { vulnerabilities, licenses: [] },
    dependencyCount: packages.length,
    org: { name: context.task.org.name, id: context.task.org.id },
    licensesPolicy: null,
    packageManager: topPackageManager(context),
    coverage,
  }
}

function topPackageManager({ task, ecosystem }: Context): string {
  return (task.subject.kind === 'package' ? ecosystem.coordinates?.packageManager : undefined) ?? ecosystem.id
}

interface Issue {
  readonly affected: AffectedPackage
  readonly facts: VulnerabilityFacts
  /** Fixed versions in which the vulnerability is not known either. */
  readonly fixes: readonly string[]
}

/** One entry for each path of each vulnerability: the worst first, then by id, package and path. */
function listVulnerabilities(
  graph: DependencyGraph,
  affected: readonly AffectedPackage[],
  context: Context,
): { vulnerabilities: Vulnerability[]; boundsMet: string[] } {
  const { registry } = context.ecosystem
  const issues = affected.flatMap((each) =>
    each.matches.map((match): Issue => {
      const { advisoryName: name } = each
      const facts = context.advisories.describe(match, { registry, name })
      const isStillAffected = (version: string) =>
        context.advisories.snapshot
          .affecting(registry, name, version)
          .some((other) => [other.record, ...other.others].includes(match.record))
      return { affected: each, facts, fixes: facts.fixedIn.filter((version) => !isStillAffected(version)) }
    }),
  )
  issues.sort(compareIssues(context.ecosystem))
  const finder = createPathFinder(graph)
  const pathsOf = new Map<AffectedPackage, { paths: number[][]; complete: boolean }>()
  const vulnerabilities: Vulnerability[] = []
  const boundsMet: string[] = []
  let steps = 0
  for (const issue of issues) {
    const found = pathsOf.get(issue.affected) ?? findPaths(graph, finder, issue.affected)
    pathsOf.set(issue.affected, found)
    const room = MAX_PATHS - vulnerabilities.length
    // Every issue is shown by one path at least, whatever the bounds.
    const shown = found.paths.slice(0, Math.max(1, room)).filter((path, at) => {
      steps += path.length
      return at === 0 || steps <= MAX_STEPS
    })
    if (!found.complete || shown.length < found.paths.length) boundsMet.push(describeBound(issue, shown.length))
    vulnerabilities.push(...shown.map((path) => toVulnerability(issue, { path, graph, ecosystem: context.ecosystem })))
  }
  return { vulnerabilities, boundsMet }
}

function describeBound({ affected, facts }: Issue, shown: number): string {
  const { name, version } = affected.package
  return `${facts.id} in ${name}@${version}: the ${shown} shortest dependency paths are listed; there are more`
}

function compareIssues({ versions }: Ecosystem) {
  const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return (a: Issue, b: Issue) =>
    severityOrder.indexOf(a.facts.severity) - severityOrder.indexOf(b.facts.severity) ||
    text(a.facts.id, b.facts.id) ||
    text(a.affected.package.name, b.affected.package.name) ||
    versions.compare(a.affected.package.version, b.affected.package.version)
}

/** The paths to a package wherever it stands; places that read the same are one path. */
function findPaths(graph: DependencyGraph, finder: PathFinder, { nodes }: AffectedPackage) {
  const byText = new Map<string, number[]>()
  let complete = true
  for (const node of nodes) {
    const found = finder.pathsTo(node, MAX_PATHS_PER_ISSUE)
    complete &&= found.complete
    for (const path of found.paths) {
      const text = toFrom(graph, path).join('\n')
      if (!byText.has(text)) byText.set(text, path)
    }
  }
  const sorted = [...byText].sort(([a, first], [b, second]) => first.length - second.length || (a < b ? -1 : 1))
  return {
    paths: sorted.slice(0, MAX_PATHS_PER_ISSUE).map(([, path]) => path),
    complete: complete && sorted.length <= MAX_PATHS_PER_ISSUE,
  }
}

function toFrom(graph: DependencyGraph, path: readonly number[]): string[] {
  return path.map((node) => {
    const { name, version } = graph.nodes[node]!.package
    return `${name}@${version}`
  })
}

function toVulnerability(
  { affected, facts, fixes }: Issue,
  { path, graph, ecosystem }: { path: number[]; graph: DependencyGraph; ecosystem: Ecosystem },
): Vulnerability {
  const { name, version } = affected.package
  const { fixAdvice, versions: scheme } = ecosystem
  const upgrade = fixAdvice === 'upgrade' ? upgradePath(path, { graph, scheme, fixes }) : []
  return {
    id: facts.id,
    url: `https://osv.dev/vulnerability/${encodeURIComponent(facts.id)}`,
    title: facts.title,
    type: 'vuln',
    description: facts.description,
    functions: [],
    from: toFrom(graph, path),
    package: name,
    version,
    severity: facts.severity,
    exploitMaturity: facts.exploitMaturity,
    language: ecosystem.language,
    packageManager: ecosystem.packageManager,
    semver: toSemver(facts, ecosystem),
    publicationTime: facts.publicationTime,
    disclosureTime: facts.disclosureTime,
    isUpgradable: upgrade.length > 0,
    isPatchable: false,
    isPinnable: fixAdvice === 'pin' && fixes.some((fix) => scheme.compare(fix, version) > 0),
    identifiers: { CVE: [...facts.cve], CWE: [...facts.cwe], GHSA: [...facts.ghsa], ALTERNATIVE: [...facts.otherIds] },
    credit: [...facts.credit],
    CVSSv3: facts.cvssV3 ?? '',
    cvssScore: facts.cvssScore ?? null,
    patches: [],
    upgradePath: upgrade,
    fixedIn: [...facts.fixedIn],
    references: facts.references.map(({ url }) => url),
  }
}

/** Go's commits stand beside the versions. */
function toSemver(facts: VulnerabilityFacts, { registry }: Ecosystem): Vulnerability['semver'] {
  const vulnerable = [...facts.vulnerable]
  if (registry !== 'Go') return { vulnerable }
  return { vulnerable, hashesRange: [...facts.hashesRange], vulnerableHashes: [...facts.vulnerableHashes] }
}

function toCoverage(
  reading: Reading,
  { packages, boundsMet, context }: { packages: number; boundsMet: readonly string[]; context: Context },
): Coverage {
  const { header } = context.advisories.snapshot
  const known = header.registries[context.ecosystem.registry]
  // Without advisories nothing can be found, which is not the same as clean.
  const unknown = known
    ? []
    : [`There are no advisories for ${context.ecosystem.registry}; run "gatehouse advisories sync"`]
  return {
    complete: reading.unresolved.length === 0 && known !== undefined,
    filesRead: reading.filesRead,
    locked: reading.locked,
    dependencies: {
      found: packages + reading.unresolved.length,
      resolved: packages,
      unresolved: reading.unresolved.length,
    },
    unresolved: reading.unresolved,
    excluded: reading.excluded,
    boundsMet: [...unknown, ...reading.boundsMet, ...boundsMet],
    advisories: {
      digest: header.digest,
      builtAt: new Date(header.builtAt).toISOString(),
      newestAdvisory: known?.newestModified ?? '',
      records: known?.records ?? 0,
      source: header.source,
      starterSet: header.isStarterSet,
    },
  }
}
