import type { Severity } from '#analysis/advisories/cvss.ts'
import { normaliseName, registries } from '#analysis/advisories/package-names.ts'
import { isPermissive, type LicencePolicy } from '#analysis/licences/judge-licence.ts'
import { findPolicy } from '#features/licence-policies/store.ts'
import { toLicenceTitle } from '#features/package-tests/licence-issues.ts'
import { getPackageManager } from '#features/package-tests/package-managers.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Keyset, Page, Window } from '#foundation/db/keyset.ts'
import { createSlices } from '#foundation/slices.ts'
import { listIgnoredIds } from './issues-store.ts'
import { createStoredJudge, type JudgeStored, listLicenceFindings, type StoredOffences } from './licence-findings.ts'
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

/** Most lists end within the first; who finds nothing in it is looking for something rare. */
const FIRST_PROJECTS = 200
const MORE_PROJECTS = 1_000
const NOTHING = { rows: [], hasNext: false, hasPrevious: false }

/**
 * What the organisation's policy objects to is stored nowhere, since policies change: projects are looked through in their
 * order, and only those that have an objectionable licence are looked into.
 */
export async function listLicenceIssues(db: Db, wanted: Wanted, window: Window): Promise<Page<LicenceRow>> {
  const policy = await findPolicy(db, wanted.orgId)
  if (policy === undefined || isPermissive(policy)) return NOTHING
  const forward = window.direction === 'after'
  const judged = { ...wanted, policy, judge: createStoredJudge(policy) }
  const found = await collect(db, judged, { from: window.position, forward, most: window.limit + 1 })
  const kept = found.slice(0, window.limit)
  const rows = forward ? kept : kept.toReversed()
  const more = found.length > window.limit
  const beyond = typeof window.position === 'string' ? false : await hasBeyond(db, judged, { rows, window })
  return { rows, hasNext: forward ? more : beyond, hasPrevious: forward ? beyond : more }
}

interface Judged extends Wanted {
  readonly policy: LicencePolicy
  readonly judge: JudgeStored
}

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
  const { orgId, filters, now } = wanted
  const found: LicenceRow[] = []
  const pause = createSlices()
  const ignoredAfter = filters.isIgnored === true ? now : undefined
  const packageNames = packageNamesOf(filters)
  if (packageNames?.length === 0) return []
  const narrowed = { orgId, projectId: filters.projectId, ignoredAfter, packageNames }
  let position = typeof from === 'string' ? undefined : ([from[0], from[1]] as [number, string])
  for (let limit = FIRST_PROJECTS, inclusive = true; ; limit = MORE_PROJECTS, inclusive = false) {
    const projects = await listLicencedProjects(db, { ...narrowed, from: position, inclusive, forward, limit })
    for (const project of projects) {
      await pause()
      const issues = (await issuesOf(db, wanted, project)).filter((row) => isAhead(row, walk))
      found.push(...(forward ? issues : issues.toReversed()))
      if (found.length >= most) return found.slice(0, most)
    }
    const last = projects.at(-1)
    if (projects.length < limit || !last) return found
    position = [last.created_at, last.id]
  }
}

/** As they are stored; of an issue that is named, those of which its id may be (see `toLicenceIssueId`). */
function packageNamesOf({ packageName, issueId }: LicenceFilters): readonly string[] | undefined {
  if (packageName === undefined && issueId === undefined) return undefined
  const named = packageName === undefined ? listNamesIn(issueId!) : [packageName]
  return [...new Set(named.flatMap((name) => registries.map((registry) => normaliseName(registry, name))))]
}

function listNamesIn(issueId: string): string[] {
  const parts = issueId.split(':').slice(2)
  const begins = parts.map((_, n) => parts.slice(0, n + 1).join(':'))
  return begins.flatMap((name) => [name, name.replaceAll(':', '/')])
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
  if (!mayFit(wanted.judge(JSON.parse(project.licences)), filters)) return []
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

/** By what is stored beside the project: graphs are long. */
function mayFit({ counts, idEnds }: StoredOffences, { severities, issueId }: LicenceFilters): boolean {
  if (issueId !== undefined && ![...idEnds].some((end) => issueId.endsWith(end))) return false
  return words.some((word, n) => counts[word] > 0 && (severities?.includes(n + 1) ?? true))
}

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
