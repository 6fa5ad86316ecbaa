import type { Severity } from '#analysis/advisories/cvss.ts'
import { toSeverity } from '#analysis/findings/known-issue.ts'
import { isPermissive, type LicensePolicy } from '#analysis/licenses/judge-license.ts'
import { findPolicy, type StoredPolicy } from '#features/license-policies/store.ts'
import type { Db } from '#foundation/db/database.ts'
import { getPackageManager } from '#scanning/reading/package-managers.ts'
import { type IssueCounts, noIssues, type SeverityCounts } from '../severity-counts.ts'
import { unpackGraph } from '../storage/packed-state.ts'
import { findState } from '../storage/states-store.ts'
import { countProjectIssues, type IgnoredRow, listIgnored } from './issues-store.ts'
import { countLicenseIssues, listLicenseFindings } from './license-findings.ts'

export interface CountedProject {
  readonly number: number
  readonly org_id: string
  readonly type: string
  readonly licenses: string
}

export interface Recount extends IssueCounts {
  /** Time at which the next ignore of the project expires, epoch milliseconds. */
  readonly validUntil: number
  /** Revision of the applied license policy; 0 without one. */
  readonly policyRevision: number
}

/** Counts the issues of some projects from all rows, by severity and project number: see issue-counts-store.ts. */
export async function recountIssues(
  db: Db,
  projects: readonly CountedProject[],
  now: number,
): Promise<ReadonlyMap<number, Recount>> {
  if (projects.length === 0) return new Map()
  const numbers = projects.map(({ number }) => number)
  const [issueRows, ignoredRows, policies] = await Promise.all([
    countProjectIssues(db, numbers, {}),
    listIgnored(db, numbers, {}),
    findPolicies(db, projects),
  ])
  const counts = new Map(projects.map((project) => [project.number, start(policies.get(project.org_id))]))
  for (const row of issueRows) {
    counts.get(Number(row.project_number))!.open[toSeverity(Number(row.severity))] += Number(row.issues)
  }
  const ignored = subtractIgnored(counts, ignoredRows, now)
  for (const project of projects) {
    const policy = policies.get(project.org_id)
    if (policy === undefined || isPermissive(policy)) continue
    await addLicenses(db, { project, policy, ignored: ignored.get(project.number) }, counts.get(project.number)!)
  }
  return counts
}

type Tally = Record<Severity, number>

interface Counting {
  readonly open: Tally
  readonly ignored: Tally
  readonly policyRevision: number
  validUntil: number
}

function start(policy: StoredPolicy | undefined): Counting {
  return {
    open: { ...noIssues },
    ignored: { ...noIssues },
    validUntil: Number.MAX_SAFE_INTEGER,
    policyRevision: policy?.revision ?? 0,
  }
}

/**
 * Moves currently ignored vulnerabilities from the open to the ignored counts. Returns the ids of all ignored issues.
 */
function subtractIgnored(
  counts: ReadonlyMap<number, Counting>,
  rows: readonly IgnoredRow[],
  now: number,
): ReadonlyMap<number, ReadonlySet<string>> {
  const ignored = new Map<number, Set<string>>()
  for (const row of rows) {
    const number = Number(row.project_number)
    const until = Number(row.ignored_until)
    if (until <= now) continue
    ignored.set(number, (ignored.get(number) ?? new Set()).add(row.issue_id))
    const of = counts.get(number)!
    of.validUntil = Math.min(of.validUntil, until)
    if (row.severity === null) continue
    of.open[toSeverity(Number(row.severity))]--
    of.ignored[toSeverity(Number(row.severity))]++
  }
  return ignored
}

async function findPolicies(db: Db, projects: readonly CountedProject[]): Promise<ReadonlyMap<string, StoredPolicy>> {
  const policies = new Map<string, StoredPolicy>()
  for (const orgId of new Set(projects.map(({ org_id }) => org_id))) {
    const policy = await findPolicy(db, orgId)
    if (policy !== undefined) policies.set(orgId, policy)
  }
  return policies
}

interface Judged {
  readonly project: CountedProject
  readonly policy: LicensePolicy
  readonly ignored: ReadonlySet<string> | undefined
}

/** Adds license issues. The graph is read only for the few projects that ignore a license issue. */
async function addLicenses(db: Db, { project, policy, ignored }: Judged, counts: Counting): Promise<void> {
  if (!ignored || ![...ignored].some((id) => id.startsWith('lic:'))) {
    const licenseCounts = countLicenseIssues(JSON.parse(project.licenses) as Record<string, number>, policy)
    for (const severity of Object.keys(licenseCounts) as (keyof SeverityCounts)[])
      counts.open[severity] += licenseCounts[severity]
    return
  }
  const state = await findState(db, project.number)
  if (!state) return
  const { packageManager } = getPackageManager(project.type)
  for (const { issueId, severity } of listLicenseFindings(await unpackGraph(state.graph), { policy, packageManager })) {
    counts[ignored.has(issueId) ? 'ignored' : 'open'][severity]++
  }
}
