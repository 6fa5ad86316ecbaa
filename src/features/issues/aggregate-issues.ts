import { toScore } from '#analysis/advisories/severity.ts'
import { toTime } from '#analysis/advisories/vulnerability.ts'
import type { Risk } from '#analysis/findings/priority.ts'
import { licenseUrl } from '#scanning/results/license-issues.ts'
import { signalsOf } from '#scanning/results/vulnerabilities.ts'
import { countBySeverity, type SeverityCounts } from '../issue-index/severity-counts.ts'
import { toAssignee } from '../issue-index/triage/assignee-resource.ts'
import { writeDay } from '../issue-index/triage/due-days.ts'
import type { Triage } from '../issue-index/triage/triage-store.ts'
import type { AdvisoryTexts } from './advisory-texts.ts'
import { type FixInfo, toFixInfo } from './fix-info.ts'
import { toIgnoreReason } from './ignore-reason.ts'
import { toIssueRisk } from './issue-risk.ts'
import { type IgnoresByIssue, isIgnoredThrough } from './path-ignores.ts'
import { type IssuePlace, managerOfPlace, type ProjectIssue, type ReadIssues } from './project-issues.ts'
import { createProjectPaths, type ProjectPaths } from './project-paths.ts'
import type { AggregatedIssue, IssueFilters, IssuesInput } from './v1-issue-resource.ts'

/** An issue in one package, over all its versions, with the available fixes. */
export interface PackageIssue {
  readonly issue: ProjectIssue
  readonly name: string
  readonly places: readonly IssuePlace[]
  readonly fixInfo: FixInfo
  readonly priority: Risk
}

export interface Part {
  readonly offset: number
  readonly limit: number
}

/**
 * Selects the project's issues by package that match the filters. The counts are over
 * all severities. Fixes are computed only for the returned part.
 */
export function selectIssues(
  { issues, manager, context }: ReadIssues,
  { filters: { severities, ...filters }, paths }: { filters: IssueFilters; paths: ProjectPaths },
  part: Part = { offset: 0, limit: Number.POSITIVE_INFINITY },
): { shown: PackageIssue[]; total: number; counts: SeverityCounts } {
  const complete = ({ issue, name, places }: Entry): PackageIssue => {
    const fixInfo = toFixInfo(issue, places, { paths, manager: managerOfPlace({ manager }, places[0]) })
    return { issue, name, places, fixInfo, priority: toIssueRisk(issue, context) }
  }
  const entries = issues
    .filter((issue) => fits(issue, filters))
    .flatMap((issue) =>
      [...Map.groupBy(issue.places, ({ name }) => name)].map(([name, places]) => ({ issue, name, places })),
    )
    .filter((entry) => filters.priority === undefined || hasPriority(complete(entry), filters))
  const selected = severities ? entries.filter(({ issue }) => severities.includes(issue.severity)) : entries
  return {
    shown: selected.slice(part.offset, part.offset + part.limit).map(complete),
    total: selected.length,
    counts: countBySeverity([...new Set(entries.map(({ issue }) => issue))]),
  }
}

type Entry = Pick<PackageIssue, 'issue' | 'name' | 'places'>

function hasPriority({ priority: { score } }: PackageIssue, { priority }: IssueFilters): boolean {
  const { min = 0, max = Number.POSITIVE_INFINITY } = priority?.score ?? {}
  return score >= min && score <= max
}

function fits(
  { type, facts, isIgnored }: ProjectIssue,
  { exploitMaturity, types, ignored, patched }: Omit<IssueFilters, 'severities'>,
): boolean {
  if (types && !types.includes(type)) return false
  if (exploitMaturity && !exploitMaturity.some((maturity) => maturity === (facts?.exploitMaturity ?? 'no-data')))
    return false
  if (ignored !== undefined && ignored !== isIgnored) return false
  return patched !== true
}

export interface Aggregation {
  readonly read: ReadIssues
  readonly input: IssuesInput
  readonly part?: Part | undefined
  readonly ignores: IgnoresByIssue
  triageOf?(issue: ProjectIssue): Triage
  textsOf(issues: readonly ProjectIssue[]): ReadonlyMap<string, AdvisoryTexts>
  issueUrl(issueId: string): string
  pathsUrl(issueId: string): string
}

/** Returns one entry per issue and package, in the format of v1. */
export function aggregateIssues(aggregation: Aggregation) {
  const { read, input, part, textsOf, triageOf } = aggregation
  const paths = createProjectPaths(read.graph)
  const through = input.includeIntroducedThrough ? createDirectSearch(read) : undefined
  const { shown, ...counted } = selectIssues(read, { filters: input.filters ?? {}, paths }, part)
  const texts = input.includeDescription ? textsOf(shown.map(({ issue }) => issue)) : NO_TEXTS
  const issues = shown.map(
    (packageIssue): AggregatedIssue => ({
      id: packageIssue.issue.id,
      issueType: packageIssue.issue.type,
      pkgName: packageIssue.name,
      pkgVersions: [...new Set(packageIssue.places.map(({ version }) => version))],
      issueData: toIssueData(packageIssue, texts, aggregation),
      ...(through && { introducedThrough: toIntroduced(packageIssue, through(packageIssue.places), aggregation) }),
      isPatched: false,
      isIgnored: packageIssue.issue.isIgnored,
      ...toReasons(packageIssue, aggregation),
      ...toOwner(triageOf?.(packageIssue.issue)),
      fixInfo: { ...packageIssue.fixInfo, fixedIn: [...packageIssue.fixInfo.fixedIn] },
      priority: toPriority(packageIssue.priority),
      links: { paths: aggregation.pathsUrl(packageIssue.issue.id) },
    }),
  )
  return { issues, ...counted }
}

function toPriority({ score, factors }: Risk): AggregatedIssue['priority'] {
  return {
    score,
    factors: factors.map(({ name, points, description }) => ({ name, description: `${description} (${points})` })),
  }
}

const NO_TEXTS: ReadonlyMap<string, AdvisoryTexts> = new Map()

/**
 * Returns ignore reasons. Partly ignored issues use another member name, so that clients do not treat them as ignored.
 */
function toReasons({ issue }: PackageIssue, { ignores }: Aggregation) {
  const reasons = (ignores.get(issue.id) ?? []).map(toIgnoreReason)
  if (issue.isIgnored) return { ignoreReasons: reasons }
  return reasons.length === 0 ? {} : { pathIgnores: reasons }
}

function toOwner({ assignee, dueDay }: Triage = {}): Pick<AggregatedIssue, 'assignee' | 'dueOn'> {
  return {
    ...(assignee && { assignee: toAssignee(assignee) }),
    ...(dueDay !== undefined && { dueOn: writeDay(dueDay) }),
  }
}

function toIntroduced(
  { issue, places }: PackageIssue,
  direct: readonly number[],
  { read, ignores }: Aggregation,
): NonNullable<AggregatedIssue['introducedThrough']> {
  return direct.map((index) => {
    const { name, version } = read.graph.packages[index]!
    const isIgnored = isIgnoredThrough(read, { issue, ignores }, { direct: index, places })
    return { kind: 'dependency', data: { name, version }, isIgnored }
  })
}

function toIssueData(
  { issue, fixInfo, places }: PackageIssue,
  texts: ReadonlyMap<string, AdvisoryTexts>,
  { read, input, issueUrl }: Aggregation,
): AggregatedIssue['issueData'] {
  const { id, title, severity, originalSeverity, facts, epss, offense } = issue
  return {
    id,
    title,
    severity,
    originalSeverity,
    url: offense ? licenseUrl(offense.license) : issueUrl(id),
    exploitMaturity: facts?.exploitMaturity ?? 'no-data',
    language: managerOfPlace(read, places[0]).language,
    patches: [],
    nearestFixedInVersion: fixInfo.nearestFixedInVersion,
    path: '',
    violatedPolicyPublicId: '',
    isMaliciousPackage: facts?.basis === 'malicious',
    ...(input.includeDescription && { description: texts.get(id)?.description ?? '' }),
    ...(offense && { instructions: [...offense.instructions] }),
    ...(facts && {
      identifiers: toIdentifiers(facts),
      credit: [...facts.credit],
      semver: { vulnerable: [...facts.vulnerable] },
      publicationTime: toTime(facts.publicationTime),
      disclosureTime: toTime(facts.disclosureTime),
      CVSSv3: facts.cvssV3 ?? '',
      ...signalsOf({ ...facts, ...epss }),
      ...toScore({ severity, cvssScore: facts.cvssScore }),
    }),
  }
}

export function toIdentifiers({ cve, cwe, ghsa, otherIds }: NonNullable<ProjectIssue['facts']>) {
  return { CVE: [...cve], CWE: [...cwe], GHSA: [...ghsa], ALTERNATIVE: [...otherIds] }
}

/** Returns a search for the direct dependencies that lead to a package, as indices of packages. */
function createDirectSearch({ graph: { nodes } }: ReadIssues) {
  const parents: number[][] = nodes.map(() => [])
  for (const [from, { edges }] of nodes.entries()) for (const to of edges) parents[to]!.push(from)
  const direct = new Set(nodes[0]?.edges)
  return (places: readonly IssuePlace[]) => {
    const packages = new Set(places.map((place) => place.package))
    const reached = new Set(nodes.keys().filter((node) => packages.has(nodes[node]!.package)))
    for (const node of reached) for (const parent of parents[node]!) reached.add(parent)
    const directPackages = new Set([...reached].filter((node) => direct.has(node)).map((node) => nodes[node]!.package))
    return [...directPackages].sort((a, b) => a - b)
  }
}
