import type { Severity } from '#analysis/advisories/cvss.ts'
import { toSeverity } from '#analysis/findings/known-issue.ts'
import { isPermissive, type LicensePolicy } from '#analysis/licenses/judge-license.ts'
import { findPolicy, type StoredPolicy } from '#features/license-policies/store.ts'
import type { Db } from '#foundation/db/database.ts'
import { getPackageManager } from '#scanning/reading/package-managers.ts'
import { type IssueCounts, noIssues, type SeverityCounts } from '../severity-counts.ts'
import { listIssues, type ProjectIssues, type Vulnerabilities } from '../storage/listed-issues-store.ts'
import { unpackGraph } from '../storage/packed-state.ts'
import { findState } from '../storage/states-store.ts'
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
  readonly issues: ProjectIssues
}

/** Counts the issues of some projects from all rows, by severity and project number: see issue-counts-store.ts. */
export async function recountIssues(
  db: Db,
  { projects, read }: { projects: readonly CountedProject[]; read?: Vulnerabilities | undefined },
  now: number,
): Promise<ReadonlyMap<number, Recount>> {
  if (projects.length === 0) return new Map()
  const numbers = projects.map(({ number }) => number)
  const [issues, policies] = [await listIssues(db, { numbers, read }, now), await findPolicies(db, projects)]
  const counts = new Map<number, Recount>()
  for (const project of projects) {
    const policy = policies.get(project.org_id)
    const counting = start(issues.get(project.number)!, policy)
    counts.set(project.number, counting)
    if (policy === undefined || isPermissive(policy)) continue
    await addLicenses(db, { project, policy }, counting)
  }
  return counts
}

type Tally = Record<Severity, number>

interface Counting extends Recount {
  readonly open: Tally
  readonly ignored: Tally
}

function start(issues: ProjectIssues, policy: StoredPolicy | undefined): Counting {
  const [open, ignored] = [{ ...noIssues }, { ...noIssues }]
  for (const [id, severity] of issues.severities) (issues.ignored.has(id) ? ignored : open)[toSeverity(severity)]++
  const validUntil = Math.min(Number.MAX_SAFE_INTEGER, ...issues.ignored.values())
  return { open, ignored, validUntil, policyRevision: policy?.revision ?? 0, issues }
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
}

/** Adds license issues. The graph is read only for the few projects that ignore a license issue. */
async function addLicenses(db: Db, { project, policy }: Judged, counts: Counting): Promise<void> {
  const { ignored } = counts.issues
  if (![...ignored.keys()].some((id) => id.startsWith('lic:'))) {
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
