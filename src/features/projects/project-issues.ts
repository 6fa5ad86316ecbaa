import type { Severity } from '#analysis/advisories/cvss.ts'
import { type IssueFacts, toSeverity } from '#analysis/findings/known-issue.ts'
import type { LicenceOffence } from '#analysis/licences/judge-licence.ts'
import { findPolicy } from '#features/licence-policies/store.ts'
import { toLicenceTitle } from '#features/package-tests/licence-issues.ts'
import { getPackageManager, type PackageManager } from '#features/package-tests/package-managers.ts'
import type { Db } from '#foundation/db/database.ts'
import { listIgnoredNow } from './ignored-store.ts'
import { listIssuesOfProject } from './issues-store.ts'
import { listLicenceFindings } from './licence-findings.ts'
import { textOf, toPackageKey } from './packages-store.ts'
import { unpackAdvice, unpackGraph } from './packed-state.ts'
import type { Advice, StoredGraph } from './project-test.ts'
import { findState } from './states-store.ts'
import type { ProjectRow } from './store.ts'

/** A package of the project's graph that has an issue. */
export interface IssuePlace {
  /** An index into the graph's packages. */
  readonly package: number
  readonly name: string
  readonly version: string
  /** As of the last test; undefined for what became known since. */
  readonly advice: Advice | undefined
  /** The same, whatever was left out of `advice` later: what ignores are judged by. */
  readonly judgedBy: Advice | undefined
  /** Where it can be pinned at a version against which nothing is known (see safe-advice.ts). */
  readonly pinTo?: string
}

/** What is known of a project now: a vulnerability, or a licence that the policy objects to. */
export interface ProjectIssue {
  readonly id: string
  readonly type: 'vuln' | 'license'
  readonly severity: Severity
  readonly title: string
  /** Of vulnerabilities. */
  readonly facts?: IssueFacts
  /** Of licence issues. */
  readonly offence?: LicenceOffence
  /** Each path to it is ignored. */
  readonly isIgnored: boolean
  readonly places: readonly IssuePlace[]
  /** Of the versions that end it, those against which nothing else is known (see safe-advice.ts). */
  readonly safeFixes?: readonly string[]
}

export interface ReadIssues {
  readonly manager: PackageManager
  /** The test that the graph is of. */
  readonly testId: string
  readonly graph: StoredGraph
  /** The worst first, then by id. */
  readonly issues: readonly ProjectIssue[]
}

type Wanted = Pick<ProjectRow, 'number' | 'org_id' | 'type'>

/** Undefined for a project that no test was stored of. */
export async function findIssues(db: Db, project: Wanted, now: number): Promise<ReadIssues | undefined> {
  const state = await findState(db, project.number)
  if (!state) return undefined
  const [graph, advice] = await Promise.all([unpackGraph(state.graph), unpackAdvice(state.advice)])
  const manager = getPackageManager(project.type)
  const vulnerabilities = await listVulnerabilities(db, project, { graph, advice, manager, now })
  const licences = await listLicences(db, project, { graph, manager, now })
  return { manager, testId: state.test_id, graph, issues: [...vulnerabilities, ...licences].sort(worstFirst) }
}

interface Ground {
  readonly graph: StoredGraph
  readonly manager: PackageManager
  readonly now: number
}

async function listVulnerabilities(
  db: Db,
  project: Wanted,
  { graph, advice, manager, now }: Ground & { readonly advice: readonly Advice[] },
): Promise<ProjectIssue[]> {
  const rows = await listIssuesOfProject(db, { projectNumber: project.number })
  const indices = new Map<string, number[]>()
  for (const [index, found] of graph.packages.entries()) {
    if (index === 0) continue
    const text = textOf(toPackageKey(manager.registry, found))
    indices.set(text, [...(indices.get(text) ?? []), index])
  }
  const told = new Map(advice.map((each) => [`${each.package} ${each.issueId}`, each]))
  return [...Map.groupBy(rows, ({ issue_id }) => issue_id)].map(([id, own]): ProjectIssue => {
    const [first] = own as [(typeof own)[number]]
    const places = own
      .flatMap((row) => indices.get(textOf(row)) ?? [])
      .map((index) => toPlace(graph, index, told.get(`${index} ${id}`)))
    return {
      id,
      type: 'vuln',
      severity: toSeverity(Number(first.severity)),
      title: first.title,
      facts: JSON.parse(first.facts) as IssueFacts,
      isIgnored: first.ignored_until !== null && Number(first.ignored_until) > now,
      places,
    }
  })
}

function toPlace({ packages }: StoredGraph, index: number, advice: Advice | undefined): IssuePlace {
  const { name, version } = packages[index]!
  return { package: index, name, version, advice, judgedBy: advice }
}

async function listLicences(db: Db, project: Wanted, { graph, manager, now }: Ground): Promise<ProjectIssue[]> {
  const policy = await findPolicy(db, project.org_id)
  const findings = listLicenceFindings(graph, { policy, packageManager: manager.packageManager })
  const issueIds = findings.map(({ issueId }) => issueId)
  const ignored = await listIgnoredNow(db, project.number, { issueIds, now })
  return findings.map(({ issueId, severity, offence, packages }) => ({
    id: issueId,
    type: 'license',
    severity,
    title: toLicenceTitle(offence),
    offence,
    isIgnored: ignored.has(issueId),
    places: packages.map((index) => toPlace(graph, index, undefined)),
  }))
}

const order: readonly Severity[] = ['critical', 'high', 'medium', 'low']

function worstFirst(a: ProjectIssue, b: ProjectIssue): number {
  return order.indexOf(a.severity) - order.indexOf(b.severity) || (a.id < b.id ? -1 : 1)
}
