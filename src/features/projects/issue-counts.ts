import { toSeverity } from '#analysis/findings/known-issue.ts'
import { isPermissive, type LicencePolicy } from '#analysis/licences/judge-licence.ts'
import { findPolicy } from '#features/licence-policies/store.ts'
import { getPackageManager } from '#features/package-tests/package-managers.ts'
import type { Db } from '#foundation/db/database.ts'
import { countProjectIssues, listIgnored } from './issues-store.ts'
import { countLicenceIssues, listLicenceFindings } from './licence-findings.ts'
import { unpackGraph } from './packed-state.ts'
import { noIssues, type SeverityCounts } from './severity-counts.ts'
import { findState } from './states-store.ts'

interface CountedProject {
  readonly number: number
  readonly org_id: string
  readonly type: string
  readonly licences: string
}

export interface IssueCounts {
  /** Known now and not ignored. */
  readonly open: SeverityCounts
  readonly ignored: SeverityCounts
}

/** Issues of the projects of a page, by severity and by project number. */
export async function countIssues(
  db: Db,
  projects: readonly CountedProject[],
  now: number,
): Promise<ReadonlyMap<number, IssueCounts>> {
  const counts = new Map(projects.map(({ number }) => [number, { open: { ...noIssues }, ignored: { ...noIssues } }]))
  if (projects.length === 0) return counts
  const numbers = projects.map(({ number }) => number)
  const [known, ignoredRows, policies] = await Promise.all([
    countProjectIssues(db, numbers),
    listIgnored(db, numbers),
    findPolicies(db, projects),
  ])
  for (const row of known) {
    counts.get(Number(row.project_number))!.open[toSeverity(Number(row.severity))] += Number(row.issues)
  }
  const ignored = new Map<number, Set<string>>()
  for (const row of ignoredRows) {
    const number = Number(row.project_number)
    if (Number(row.ignored_until) <= now) continue
    ignored.set(number, (ignored.get(number) ?? new Set()).add(row.issue_id))
    if (row.severity === null) continue
    const of = counts.get(number)!
    of.open[toSeverity(Number(row.severity))]--
    of.ignored[toSeverity(Number(row.severity))]++
  }
  if (policies.size === 0) return counts
  for (const project of projects) {
    const policy = policies.get(project.org_id)
    if (policy !== undefined) {
      await addLicences(db, { project, policy, ignored: ignored.get(project.number) }, counts.get(project.number)!)
    }
  }
  return counts
}

async function findPolicies(db: Db, projects: readonly CountedProject[]): Promise<ReadonlyMap<string, LicencePolicy>> {
  const found = new Map<string, LicencePolicy>()
  for (const orgId of new Set(projects.map(({ org_id }) => org_id))) {
    const policy = await findPolicy(db, orgId)
    if (policy !== undefined && !isPermissive(policy)) found.set(orgId, policy)
  }
  return found
}

interface Judged {
  readonly project: CountedProject
  readonly policy: LicencePolicy
  readonly ignored: ReadonlySet<string> | undefined
}

type Mutable = { [K in keyof IssueCounts]: { -readonly [S in keyof SeverityCounts]: number } }

/** Only for the few projects of which some licence is ignored the graph has to be read. */
async function addLicences(db: Db, { project, policy, ignored }: Judged, counts: Mutable): Promise<void> {
  if (!ignored || ![...ignored].some((id) => id.startsWith('lic:'))) {
    const found = countLicenceIssues(JSON.parse(project.licences) as Record<string, number>, policy)
    for (const severity of Object.keys(found) as (keyof SeverityCounts)[]) counts.open[severity] += found[severity]
    return
  }
  const state = await findState(db, project.number)
  if (!state) return
  const { packageManager } = getPackageManager(project.type)
  for (const { issueId, severity } of listLicenceFindings(await unpackGraph(state.graph), { policy, packageManager })) {
    counts[ignored.has(issueId) ? 'ignored' : 'open'][severity]++
  }
}
