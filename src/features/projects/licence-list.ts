import type { Severity } from '#analysis/advisories/cvss.ts'
import { isPermissive, type LicencePolicy } from '#analysis/licences/judge-licence.ts'
import { findPolicy } from '#features/licence-policies/store.ts'
import { toLicenceTitle } from '#features/package-tests/licence-issues.ts'
import { getPackageManager } from '#features/package-tests/package-managers.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Keyset, Page, Window } from '#foundation/db/keyset.ts'
import { listIgnoredIds } from './issues-store.ts'
import { countLicenceIssues, listLicenceFindings } from './licence-findings.ts'
import { unpackGraph } from './packed-state.ts'
import { findState } from './states-store.ts'
import { type LicencedRow, listLicencedProjects } from './store.ts'

/** A licence issue of a project, as the organisation's list has it. */
export interface LicenceRow {
  readonly created_at: number
  readonly project_id: string
  readonly project_number: number
  readonly issue_id: string
  readonly severity: Severity
  readonly title: string
  readonly isIgnored: boolean
  readonly packages: readonly { readonly name: string; readonly version: string }[]
}

/** By project, then by id. */
export const licencesByProject: Keyset<LicenceRow> = {
  columns: ['p.created_at', 'p.id', 'issue'],
  position: ({ created_at, project_id, issue_id }) => [created_at, project_id, issue_id],
}

export interface LicenceFilters {
  readonly issueId?: string | undefined
  /** From 1 (low) to 4 (critical). */
  readonly severities?: readonly number[] | undefined
  readonly isIgnored?: boolean | undefined
  readonly projectId?: string | undefined
  readonly packageName?: string | undefined
  readonly packageVersion?: string | undefined
}

interface Wanted {
  readonly orgId: string
  readonly filters: LicenceFilters
  readonly now: number
}

const PROJECTS_AT_ONCE = 200
const NOTHING = { rows: [], hasNext: false, hasPrevious: false }

/**
 * What the organisation's policy objects to is stored nowhere, since policies change: projects are looked through in their
 * order, and only those that have an objectionable licence are looked into.
 */
export async function listLicenceIssues(db: Db, wanted: Wanted, window: Window): Promise<Page<LicenceRow>> {
  const policy = await findPolicy(db, wanted.orgId)
  if (policy === undefined || isPermissive(policy)) return NOTHING
  const forward = window.direction === 'after'
  const found = await collect(db, { ...wanted, policy }, { from: window.position, forward, most: window.limit + 1 })
  const kept = found.slice(0, window.limit)
  const rows = forward ? kept : kept.toReversed()
  const more = found.length > window.limit
  const beyond =
    typeof window.position === 'string' ? false : await hasBeyond(db, { ...wanted, policy }, { rows, window })
  return { rows, hasNext: forward ? more : beyond, hasPrevious: forward ? beyond : more }
}

type Judged = Wanted & { readonly policy: LicencePolicy }

interface Walk {
  readonly from: Window['position']
  readonly forward: boolean
  readonly most: number
  /** Takes what is at the position, too. */
  readonly inclusive?: true
}

async function hasBeyond(db: Db, wanted: Judged, { rows, window }: { rows: LicenceRow[]; window: Window }) {
  const forward = window.direction !== 'after'
  const edge = rows.at(forward ? -1 : 0)
  const walk: Walk = edge
    ? { from: licencesByProject.position(edge), forward, most: 1 }
    : { from: window.position, forward, most: 1, inclusive: true }
  return (await collect(db, wanted, walk)).length > 0
}

async function collect(db: Db, wanted: Judged, walk: Walk): Promise<LicenceRow[]> {
  const { from, forward, most } = walk
  const found: LicenceRow[] = []
  let position = typeof from === 'string' ? undefined : ([from[0], from[1]] as [number, string])
  for (let inclusive = true; ; inclusive = false) {
    const projects = await listLicencedProjects(db, {
      orgId: wanted.orgId,
      projectId: wanted.filters.projectId,
      from: position,
      inclusive,
      forward,
      limit: PROJECTS_AT_ONCE,
    })
    for (const project of projects) {
      const issues = (await issuesOf(db, wanted, project)).filter((row) => isAhead(row, walk))
      found.push(...(forward ? issues : issues.toReversed()))
      if (found.length >= most) return found.slice(0, most)
    }
    const last = projects.at(-1)
    if (projects.length < PROJECTS_AT_ONCE || !last) return found
    position = [last.created_at, last.id]
  }
}

function isAhead(row: LicenceRow, { from, forward, inclusive }: Walk): boolean {
  if (typeof from === 'string') return true
  const [createdAt, projectId, issueId] = from as [number, string, string]
  if (row.created_at !== createdAt || row.project_id !== projectId) return true
  if (row.issue_id === issueId) return inclusive === true
  return forward ? row.issue_id > issueId : row.issue_id < issueId
}

async function issuesOf(db: Db, wanted: Judged, project: LicencedRow): Promise<LicenceRow[]> {
  const { policy, filters, now } = wanted
  const counts = countLicenceIssues(JSON.parse(project.licences), policy)
  if (Object.values(counts).every((count) => count === 0)) return []
  const state = await findState(db, project.number)
  if (!state) return []
  const graph = await unpackGraph(state.graph)
  const { packageManager } = getPackageManager(project.type)
  const ignored = await listIgnoredIds(db, project.number, now)
  return listLicenceFindings(graph, { policy, packageManager })
    .map((finding) => ({
      created_at: project.created_at,
      project_id: project.id,
      project_number: project.number,
      issue_id: finding.issueId,
      severity: finding.severity,
      title: toLicenceTitle(finding.offence),
      isIgnored: ignored.has(finding.issueId),
      packages: finding.packages.map((index) => graph.packages[index]!),
    }))
    .filter((row) => fits(row, filters))
    .sort((a, b) => (a.issue_id < b.issue_id ? -1 : 1))
}

const words: readonly Severity[] = ['low', 'medium', 'high', 'critical']

function fits(
  row: LicenceRow,
  { issueId, severities, isIgnored, packageName, packageVersion }: LicenceFilters,
): boolean {
  if (issueId !== undefined && issueId !== row.issue_id) return false
  if (severities && !severities.includes(words.indexOf(row.severity) + 1)) return false
  if (isIgnored !== undefined && isIgnored !== row.isIgnored) return false
  if (packageName === undefined) return true
  return row.packages.some(
    ({ name, version }) => name === packageName && (packageVersion === undefined || version === packageVersion),
  )
}
