import type { Severity } from '#analysis/advisories/cvss.ts'
import type { Epss } from '#analysis/advisories/exploit-signals.ts'
import { type IssueFacts, toSeverity } from '#analysis/findings/known-issue.ts'
import type { ProjectContext } from '#analysis/findings/priority.ts'
import type { Advice, StoredGraph } from '#analysis/findings/stored-graph.ts'
import type { LicenseOffense } from '#analysis/licenses/judge-license.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { findPolicy } from '#features/license-policies/store.ts'
import type { Db } from '#foundation/db/database.ts'
import { getPackageManager, managerOf, type PackageManager } from '#scanning/reading/package-managers.ts'
import { toLicenseTitle } from '#scanning/results/license-issues.ts'
import { listIgnoredIds, listIssuesOfProject } from '../issue-index/counts/issues-store.ts'
import { listLicenseFindings } from '../issue-index/counts/license-findings.ts'
import { indicesByText, textIn } from '../issue-index/storage/packages-store.ts'
import { unpackAdvice, unpackGraph } from '../issue-index/storage/packed-state.ts'
import { findState } from '../issue-index/storage/states-store.ts'
import type { ProjectRow } from '../projects/store.ts'
import { compareIssues } from './issue-risk.ts'

/** A package of the project's graph that has an issue. */
export interface IssuePlace {
  /** Index into the graph's packages. */
  readonly package: number
  readonly name: string
  readonly version: string
  /** Set for graphs with several registries. */
  readonly registry?: Registry
  /** The advice of the last test; undefined for issues that became known later. */
  readonly advice: Advice | undefined
  /** The unfiltered advice, by which ignores are evaluated. */
  readonly judgedBy: Advice | undefined
  /** Set if it can be pinned at a version without known issues (safe-advice.ts). */
  readonly pinTo?: string
}

/** A current issue of a project: a vulnerability, or a license violation. */
export interface ProjectIssue {
  readonly id: string
  readonly type: 'vuln' | 'license'
  readonly severity: Severity
  /** The severity by the advisory or the license policy. */
  readonly originalSeverity: Severity
  /** The policy that sets the severity. */
  readonly policyNumber?: number | null
  readonly title: string
  /** Vulnerabilities only. */
  readonly facts?: IssueFacts
  /** License issues only. */
  readonly offense?: LicenseOffense
  /** True if all paths are ignored. */
  readonly isIgnored: boolean
  readonly places: readonly IssuePlace[]
  /** Vulnerabilities only; absent if the advisories have none. */
  readonly epss?: Epss
  /** True if the project declares an affected package itself. */
  readonly isDirect: boolean
  /** Vulnerabilities only: epoch milliseconds since which the project has it; absent if unknown. */
  readonly knownSince?: number
  /** Fixed versions without other known issues (safe-advice.ts). */
  readonly safeFixes?: readonly string[]
}

export interface ReadIssues {
  readonly manager: PackageManager
  /** Id of the test with this graph. */
  readonly testId: string
  readonly graph: StoredGraph
  /** The project's attributes, for the risk score. */
  readonly context: ProjectContext
  /** By priority, then by id. */
  readonly issues: readonly ProjectIssue[]
}

type ContextColumns = Pick<ProjectRow, 'business_criticality' | 'environment' | 'lifecycle'>
type ProjectKey = Pick<ProjectRow, 'number' | 'org_id' | 'type' | 'created_at'> & ContextColumns

/** Returns undefined for a project without a stored test. */
export async function findIssues(
  db: Db,
  project: ProjectKey,
  { now, epssOf }: { now: number; epssOf(cves: readonly string[]): Epss },
): Promise<ReadIssues | undefined> {
  const state = await findState(db, project.number)
  if (!state) return undefined
  const [graph, advice] = await Promise.all([unpackGraph(state.graph), unpackAdvice(state.advice)])
  const manager = getPackageManager(project.type)
  const vulnerabilities = await listVulnerabilities(db, project, { graph, advice, manager, now, epssOf })
  const licenses = await listLicenses(db, project, { graph, manager, now })
  const issues = [...vulnerabilities, ...licenses].sort(compareIssues)
  return { manager, testId: state.test_id, graph, context: toContext(project), issues }
}

interface IssueContext {
  readonly graph: StoredGraph
  readonly manager: PackageManager
  readonly now: number
}

async function listVulnerabilities(
  db: Db,
  project: ProjectKey,
  {
    graph,
    advice,
    manager,
    now,
    epssOf,
  }: IssueContext & {
    readonly advice: readonly Advice[]
    epssOf(cves: readonly string[]): Epss
  },
): Promise<ProjectIssue[]> {
  const rows = await listIssuesOfProject(db, { projectNumber: project.number })
  const indices = indicesByText(graph, manager.registry)
  const direct = directPackages(graph)
  const adviceByKey = new Map(advice.map((advice) => [`${advice.package} ${advice.issueId}`, advice]))
  return [...Map.groupBy(rows, ({ issue_id }) => issue_id)].map(([id, own]): ProjectIssue => {
    const [first] = own as [(typeof own)[number]]
    const places = own
      .flatMap((row) => indices.get(textIn(row.registry, row)) ?? [])
      .map((index) => toPlace(graph, index, adviceByKey.get(`${index} ${id}`)))
    const facts = JSON.parse(first.facts) as IssueFacts
    const firstSeen = Math.min(...own.map(({ known_since }) => Number(known_since)))
    return {
      id,
      type: 'vuln',
      severity: toSeverity(Number(first.severity)),
      originalSeverity: toSeverity(Number(first.own_severity)),
      policyNumber: first.policy_number,
      title: first.title,
      facts,
      epss: epssOf(facts.cve),
      isDirect: places.some((place) => direct.has(place.package)),
      isIgnored: first.ignored_until !== null && Number(first.ignored_until) > now,
      ...(firstSeen > 0 && { knownSince: Math.max(firstSeen, Number(project.created_at)) }),
      places,
    }
  })
}

function toPlace({ packages }: StoredGraph, index: number, advice: Advice | undefined): IssuePlace {
  const { name, version, registry = 'none' } = packages[index]!
  const of = registry === 'none' ? {} : { registry }
  return { package: index, name, version, ...of, advice, judgedBy: advice }
}

async function listLicenses(
  db: Db,
  project: ProjectKey,
  { graph, manager, now }: IssueContext,
): Promise<ProjectIssue[]> {
  const policy = await findPolicy(db, project.org_id)
  const findings = listLicenseFindings(graph, { policy, packageManager: manager.packageManager })
  const ignored = await listIgnoredIds(db, project.number, now)
  const direct = directPackages(graph)
  return findings.map(({ issueId, severity, offense, packages }) => ({
    id: issueId,
    type: 'license',
    severity,
    originalSeverity: severity,
    title: toLicenseTitle(offense),
    offense,
    isDirect: packages.some((index) => direct.has(index)),
    isIgnored: ignored.has(issueId),
    places: packages.map((index) => toPlace(graph, index, undefined)),
  }))
}

export function managerOfPlace(
  { manager }: Pick<ReadIssues, 'manager'>,
  place: Pick<IssuePlace, 'registry'> | undefined,
): PackageManager {
  return managerOf(manager, place?.registry ?? manager.registry)
}

/** Returns the indices of the packages that the project declares itself. */
function directPackages({ nodes }: StoredGraph): ReadonlySet<number> {
  return new Set((nodes[0]?.edges ?? []).map((node) => nodes[node]!.package))
}

export function toContext(project: ContextColumns): ProjectContext {
  const { business_criticality, environment, lifecycle } = project
  return {
    criticalities: JSON.parse(business_criticality),
    environments: JSON.parse(environment),
    lifecycles: JSON.parse(lifecycle),
  }
}
