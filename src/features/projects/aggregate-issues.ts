import { licenceUrl } from '#features/package-tests/licence-issues.ts'
import type { AdvisoryTexts } from './advisory-texts.ts'
import { type FixInfo, toFixInfo } from './fix-info.ts'
import { toIgnoreReason } from './ignore-reason.ts'
import { type IgnoresByIssue, isIgnoredThrough } from './path-ignores.ts'
import { type Priority, toPriority } from './priority.ts'
import type { IssuePlace, ProjectIssue, ReadIssues } from './project-issues.ts'
import { createProjectPaths, type ProjectPaths } from './project-paths.ts'
import type { AggregatedIssue, IssueFilters, WantedIssues } from './v1-issue-resource.ts'

/** An issue in one package, whatever versions of it, with what can be done. */
export interface PackageIssue {
  readonly issue: ProjectIssue
  readonly name: string
  readonly places: readonly IssuePlace[]
  readonly fixInfo: FixInfo
  readonly priority: Priority
}

/** The project's issues by package that fit the filters. */
export function selectIssues(
  { issues, manager }: ReadIssues,
  { filters, paths }: { filters: IssueFilters; paths: ProjectPaths },
): PackageIssue[] {
  return issues
    .filter((issue) => fits(issue, filters))
    .flatMap((issue) =>
      [...Map.groupBy(issue.places, ({ name }) => name)].map(([name, places]) => {
        const fixInfo = toFixInfo(issue, places, { paths, versions: manager.versions })
        return { issue, name, places, fixInfo, priority: toPriority(issue, fixInfo) }
      }),
    )
    .filter(({ priority: { score } }) => {
      const { min = 0, max = Number.POSITIVE_INFINITY } = filters.priority?.score ?? {}
      return score >= min && score <= max
    })
}

function fits(
  { severity, type, facts, isIgnored }: ProjectIssue,
  { severities, exploitMaturity, types, ignored, patched }: IssueFilters,
): boolean {
  if (severities && !severities.includes(severity)) return false
  if (types && !types.includes(type)) return false
  if (exploitMaturity && !exploitMaturity.some((maturity) => maturity === (facts?.exploitMaturity ?? 'no-data')))
    return false
  if (ignored !== undefined && ignored !== isIgnored) return false
  return patched !== true
}

export interface Aggregation {
  readonly read: ReadIssues
  readonly wanted: WantedIssues
  readonly ignores: IgnoresByIssue
  readonly texts: ReadonlyMap<string, AdvisoryTexts>
  issueUrl(issueId: string): string
  pathsUrl(issueId: string): string
}

/** One entry for each issue and package, as clients of v1 read them. */
export function aggregateIssues(aggregation: Aggregation): AggregatedIssue[] {
  const { read, wanted } = aggregation
  const paths = createProjectPaths(read.graph)
  const through = wanted.includeIntroducedThrough ? createDirectSearch(read) : undefined
  return selectIssues(read, { filters: wanted.filters ?? {}, paths }).map((found) => ({
    id: found.issue.id,
    issueType: found.issue.type,
    pkgName: found.name,
    pkgVersions: [...new Set(found.places.map(({ version }) => version))],
    issueData: toIssueData(found, aggregation),
    ...(through && { introducedThrough: toIntroduced(found, through(found.places), aggregation) }),
    isPatched: false,
    isIgnored: found.issue.isIgnored,
    ...toReasons(found, aggregation),
    fixInfo: { ...found.fixInfo, fixedIn: [...found.fixInfo.fixedIn] },
    priority: { score: found.priority.score, factors: [...found.priority.factors] },
    links: { paths: aggregation.pathsUrl(found.issue.id) },
  }))
}

/** Under a name of its own where some path is not ignored: whoever looks for reasons must not take the issue for ignored. */
function toReasons({ issue }: PackageIssue, { ignores }: Aggregation) {
  const reasons = (ignores.get(issue.id) ?? []).map(toIgnoreReason)
  if (issue.isIgnored) return { ignoreReasons: reasons }
  return reasons.length === 0 ? {} : { pathIgnores: reasons }
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
  { issue, fixInfo }: PackageIssue,
  { read, wanted, texts, issueUrl }: Aggregation,
): AggregatedIssue['issueData'] {
  const { id, title, severity, facts, offence } = issue
  return {
    id,
    title,
    severity,
    originalSeverity: severity,
    url: offence ? licenceUrl(offence.licence) : issueUrl(id),
    exploitMaturity: facts?.exploitMaturity ?? 'no-data',
    language: read.manager.language,
    patches: [],
    nearestFixedInVersion: fixInfo.nearestFixedInVersion,
    path: '',
    violatedPolicyPublicId: '',
    isMaliciousPackage: facts?.basis === 'malicious',
    ...(wanted.includeDescription && { description: texts.get(id)?.description ?? '' }),
    ...(offence && { instructions: [...offence.instructions] }),
    ...(facts && {
      identifiers: toIdentifiers(facts),
      credit: [...facts.credit],
      semver: { vulnerable: [...facts.vulnerable] },
      publicationTime: facts.publicationTime,
      disclosureTime: facts.disclosureTime,
      CVSSv3: facts.cvssV3 ?? '',
      ...(facts.cvssScore !== undefined && { cvssScore: facts.cvssScore }),
    }),
  }
}

export function toIdentifiers({ cve, cwe, ghsa, otherIds }: NonNullable<ProjectIssue['facts']>) {
  return { CVE: [...cve], CWE: [...cwe], GHSA: [...ghsa], ALTERNATIVE: [...otherIds] }
}

/** The direct dependencies from which a package is reached, as indices of packages. */
function createDirectSearch({ graph: { nodes } }: ReadIssues) {
  const parents: number[][] = nodes.map(() => [])
  for (const [from, { edges }] of nodes.entries()) for (const to of edges) parents[to]!.push(from)
  const direct = new Set(nodes[0]?.edges)
  return (places: readonly IssuePlace[]) => {
    const wanted = new Set(places.map((place) => place.package))
    const reached = new Set(nodes.keys().filter((node) => wanted.has(nodes[node]!.package)))
    for (const node of reached) for (const parent of parents[node]!) reached.add(parent)
    const found = new Set([...reached].filter((node) => direct.has(node)).map((node) => nodes[node]!.package))
    return [...found].sort((a, b) => a - b)
  }
}
