import type { Severity } from '#analysis/advisories/cvss.ts'
import { normalizeName, registries } from '#analysis/advisories/package-names.ts'
import { isPermissive, type LicensePolicy } from '#analysis/licenses/judge-license.ts'
import { findPolicy } from '#features/license-policies/store.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Keyset, Page, Window } from '#foundation/db/keyset.ts'
import { createSlices } from '#foundation/slices.ts'
import { getPackageManager } from '#scanning/reading/package-managers.ts'
import { toLicenseTitle } from '#scanning/results/license-issues.ts'
import { listIgnoredIds } from '../issue-index/counts/issues-store.ts'
import {
  createStoredJudge,
  type JudgeStored,
  listLicenseFindings,
  type StoredOffenses,
} from '../issue-index/counts/license-findings.ts'
import { unpackGraph } from '../issue-index/storage/packed-state.ts'
import { findState } from '../issue-index/storage/states-store.ts'
import { type LicensedRow, listLicensedProjects } from '../projects/store.ts'
import type { OrgIssueFilters } from './org-issue-filters-store.ts'

export interface LicenseRow {
  readonly created_at: number
  readonly project_id: string
  readonly project_number: number
  readonly issue_id: string
  readonly severity: Severity
  readonly title: string
  readonly isIgnored: boolean
  readonly packages: readonly { readonly name: string; readonly version: string }[]
}

export const licensesByProject: Keyset<LicenseRow> = {
  columns: ['p.created_at', 'p.id', 'issue'],
  position: ({ created_at, project_id, issue_id }) => [created_at, project_id, issue_id],
}

export interface LicenseFilters
  extends Pick<OrgIssueFilters, 'issueId' | 'severities' | 'isIgnored' | 'packageName' | 'packageVersion'> {
  readonly projectId?: string | undefined
}

interface LicenseQuery {
  readonly orgId: string
  readonly filters: LicenseFilters
  readonly now: number
}

/** Projects in the first batch, which completes most lists; a rare match needs more. */
const FIRST_PROJECTS = 200
const MORE_PROJECTS = 1_000
const NOTHING = { rows: [], hasNext: false, hasPrevious: false }

/**
 * Lists license issues. They are not stored, since policies change: scans projects in order and reads only those with a
 * violating license.
 */
export async function listLicenseIssues(db: Db, query: LicenseQuery, window: Window): Promise<Page<LicenseRow>> {
  const policy = await findPolicy(db, query.orgId)
  if (policy === undefined || isPermissive(policy)) return NOTHING
  const forward = window.direction === 'after'
  const judged = { ...query, policy, judge: createStoredJudge(policy) }
  const candidates = await collect(db, judged, { from: window.position, forward, most: window.limit + 1 })
  const kept = candidates.slice(0, window.limit)
  const rows = forward ? kept : kept.toReversed()
  const more = candidates.length > window.limit
  const beyond = typeof window.position === 'string' ? false : await hasBeyond(db, judged, { rows, window })
  return { rows, hasNext: forward ? more : beyond, hasPrevious: forward ? beyond : more }
}

interface Judged extends LicenseQuery {
  readonly policy: LicensePolicy
  readonly judge: JudgeStored
}

interface Walk {
  readonly from: Window['position']
  readonly forward: boolean
  readonly most: number
  /** Includes the project at the position. */
  readonly inclusive?: true
}

async function hasBeyond(db: Db, query: Judged, { rows, window }: { rows: LicenseRow[]; window: Window }) {
  const forward = window.direction !== 'after'
  const edge = rows.at(forward ? -1 : 0)
  const walk: Walk = edge
    ? { from: licensesByProject.position(edge), forward, most: 1 }
    : { from: window.position, forward, most: 1, inclusive: true }
  return (await collect(db, query, walk)).length > 0
}

async function collect(db: Db, query: Judged, walk: Walk): Promise<LicenseRow[]> {
  const { from, forward, most } = walk
  const { orgId, filters, now } = query
  const candidates: LicenseRow[] = []
  const pause = createSlices()
  const ignoredAfter = filters.isIgnored === true ? now : undefined
  const packageNames = packageNamesOf(filters)
  if (packageNames?.length === 0) return []
  const narrowed = { orgId, projectId: filters.projectId, ignoredAfter, packageNames }
  let position = typeof from === 'string' ? undefined : ([from[0], from[1]] as [number, string])
  for (let limit = FIRST_PROJECTS, inclusive = true; ; limit = MORE_PROJECTS, inclusive = false) {
    const projects = await listLicensedProjects(db, { ...narrowed, from: position, inclusive, forward, limit })
    for (const project of projects) {
      await pause()
      const issues = (await issuesOf(db, query, project)).filter((row) => isAhead(row, walk))
      candidates.push(...(forward ? issues : issues.toReversed()))
      if (candidates.length >= most) return candidates.slice(0, most)
    }
    const last = projects.at(-1)
    if (projects.length < limit || !last) return candidates
    position = [last.created_at, last.id]
  }
}

/**
 * Returns the stored license keys to search; for an issue id, those that may have produced it (see `toLicenseIssueId`).
 */
function packageNamesOf({ packageName, issueId }: LicenseFilters): readonly string[] | undefined {
  if (packageName === undefined && issueId === undefined) return undefined
  const names = packageName === undefined ? listNamesIn(issueId!) : [packageName]
  return [...new Set(names.flatMap((name) => registries.map((registry) => normalizeName(registry, name))))]
}

function listNamesIn(issueId: string): string[] {
  const parts = issueId.split(':').slice(2)
  const begins = parts.map((_, n) => parts.slice(0, n + 1).join(':'))
  return begins.flatMap((name) => [name, name.replaceAll(':', '/')])
}

function isAhead(row: LicenseRow, { from, forward, inclusive }: Walk): boolean {
  if (typeof from === 'string') return true
  const [createdAt, projectId, issueId] = from as [number, string, string]
  if (row.created_at !== createdAt || row.project_id !== projectId) return true
  if (row.issue_id === issueId) return inclusive === true
  return forward ? row.issue_id > issueId : row.issue_id < issueId
}

/** Creates a reader of all license issues of a project; undefined if the policy allows every license. */
export async function createLicenseReader(db: Db, orgId: string, now: number) {
  const policy = await findPolicy(db, orgId)
  if (policy === undefined || isPermissive(policy)) return undefined
  const query = { orgId, filters: {}, now, policy, judge: createStoredJudge(policy) }
  return (project: LicensedRow) => issuesOf(db, query, project)
}

async function issuesOf(db: Db, query: Judged, project: LicensedRow): Promise<LicenseRow[]> {
  const { policy, filters, now } = query
  if (!mayFit(query.judge(JSON.parse(project.licenses)), filters)) return []
  const state = await findState(db, project.number)
  if (!state) return []
  const graph = await unpackGraph(state.graph)
  const { packageManager } = getPackageManager(project.type)
  const ignored = await listIgnoredIds(db, project.number, now)
  return listLicenseFindings(graph, { policy, packageManager })
    .map((finding) => ({
      created_at: project.created_at,
      project_id: project.id,
      project_number: project.number,
      issue_id: finding.issueId,
      severity: finding.severity,
      title: toLicenseTitle(finding.offense),
      isIgnored: ignored.has(finding.issueId),
      packages: finding.packages.map((index) => graph.packages[index]!),
    }))
    .filter((row) => fits(row, filters))
    .sort((a, b) => (a.issue_id < b.issue_id ? -1 : 1))
}

const words: readonly Severity[] = ['low', 'medium', 'high', 'critical']

/** Decides from data stored with the project, because reading graphs is slow. */
function mayFit({ counts, idEnds }: StoredOffenses, { severities, issueId }: LicenseFilters): boolean {
  if (issueId !== undefined && ![...idEnds].some((end) => issueId.endsWith(end))) return false
  return words.some((word, n) => counts[word] > 0 && (severities?.includes(n + 1) ?? true))
}

function fits(
  row: LicenseRow,
  { issueId, severities, isIgnored, packageName, packageVersion }: LicenseFilters,
): boolean {
  if (issueId !== undefined && issueId !== row.issue_id) return false
  if (severities && !severities.includes(words.indexOf(row.severity) + 1)) return false
  if (isIgnored !== undefined && isIgnored !== row.isIgnored) return false
  if (packageName === undefined) return true
  return row.packages.some(
    ({ name, version }) => name === packageName && (packageVersion === undefined || version === packageVersion),
  )
}
