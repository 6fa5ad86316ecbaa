import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import { prepared } from '#foundation/db/prepared.ts'

/** A vulnerability of one package version that a project contains. */
export interface ProjectIssueRow {
  readonly package_number: number
  readonly name: string
  readonly version: string
  readonly variant: string
  readonly issue_id: string
  readonly severity: number
  readonly title: string
  readonly facts: string
  /** Since when the organisation has had it. */
  readonly known_since: number
  /** Null when it is not ignored, or was at some time. */
  readonly ignored_until: number | null
}

/** All of one project, the worst first, then by id and package. */
export const listIssuesOfProject = prepared((db: Db, { projectNumber }: { projectNumber: number }) =>
  db
    .selectFrom('project_packages as pp')
    .innerJoin('package_issues as pi', 'pi.package_number', 'pp.package_number')
    .innerJoin('packages as k', 'k.number', 'pi.package_number')
    .leftJoin('org_issues as oi', (join) =>
      join
        .onRef('oi.org_number', '=', 'pp.org_number')
        .onRef('oi.package_number', '=', 'pi.package_number')
        .onRef('oi.issue_id', '=', 'pi.issue_id'),
    )
    .leftJoin('ignored_issues as ii', (join) =>
      join.onRef('ii.project_number', '=', 'pp.project_number').onRef('ii.issue_id', '=', 'pi.issue_id'),
    )
    .select(['pi.package_number', 'k.name', 'k.version', 'k.variant', 'pi.issue_id', 'pi.severity', 'pi.title'])
    .select(['pi.facts', sql<number>`coalesce(oi.known_since, 0)`.as('known_since'), 'ii.ignored_until'])
    .where('pp.project_number', '=', projectNumber)
    .orderBy('pi.severity', 'desc')
    .orderBy('pi.issue_id')
    .orderBy('pi.package_number'),
)

export interface IssueCountRow {
  readonly project_number: number
  readonly severity: number
  readonly ignored: number
  readonly issues: number
}

/** Issues of each project by severity; one that is in several of its packages counts once. */
export async function countProjectIssues(db: Db, projects: readonly number[], now: number): Promise<IssueCountRow[]> {
  const { rows } = await sql<IssueCountRow>`
    select project_number, severity, ignored, count(*) as issues from (
      select pp.project_number, pi.issue_id, max(pi.severity) as severity,
        max(case when ii.ignored_until > ${now} then 1 else 0 end) as ignored
      from project_packages pp
      join package_issues pi on pi.package_number = pp.package_number
      left join ignored_issues ii on ii.project_number = pp.project_number and ii.issue_id = pi.issue_id
      where pp.project_number in (${sql.join([...projects])})
      group by pp.project_number, pi.issue_id
    ) as counted
    group by project_number, severity, ignored`.execute(db)
  return rows
}

/** Whatever of a project is ignored now. */
export async function listIgnoredIds(db: Db, projectNumber: number, now: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('ignored_issues')
    .select('issue_id')
    .where('project_number', '=', projectNumber)
    .where('ignored_until', '>', now)
    .execute()
  return new Set(rows.map(({ issue_id }) => issue_id))
}

/** Licence issues that are ignored now. */
export async function listIgnoredLicences(db: Db, projects: readonly number[], now: number) {
  return db
    .selectFrom('ignored_issues')
    .select(['project_number', 'issue_id'])
    .where('project_number', 'in', projects)
    .where('ignored_until', '>', now)
    .where('issue_id', 'like', 'lic:%')
    .execute()
}

/** An issue of a project as the organisation's list has it; of several packages that it is in, the first speaks. */
export interface OrgIssueRow {
  readonly org_number: number
  readonly package_number: number
  readonly issue_id: string
  readonly severity: number
  readonly known_since: number
  readonly title: string
  readonly facts: string
  readonly name: string
  readonly version: string
  readonly registry: string
  readonly project_number: number
  readonly project_id: string
  readonly project_name: string
  readonly project_type: string
  readonly project_created_at: number
  readonly ignored_until: number | null
}

export interface OrgIssueFilters {
  readonly issueId?: string | undefined
  /** From 1 (low) to 4 (critical). */
  readonly severities?: readonly number[] | undefined
  readonly isIgnored?: boolean | undefined
  readonly projectNumber?: number | undefined
  /** As advisories look it up. */
  readonly packageName?: string | undefined
  readonly packageVersion?: string | undefined
  /** Epoch milliseconds, inclusive: since when the organisation has had it. */
  readonly knownFrom?: number | undefined
  readonly knownUntil?: number | undefined
}

/** The orders of the list; each has its index. */
export const orgIssueSorts = ['-severity', 'severity', '-known', 'known'] as const
export type OrgIssueSort = (typeof orgIssueSorts)[number]

const bySeverity: Keyset<OrgIssueRow> = {
  columns: ['oi.severity', 'oi.issue_id', 'oi.package_number', 'pp.project_number'],
  position: (row) => [row.severity, row.issue_id, row.package_number, row.project_number],
}
const byAge: Keyset<OrgIssueRow> = {
  columns: ['oi.known_since', 'oi.issue_id', 'oi.package_number', 'pp.project_number'],
  position: (row) => [row.known_since, row.issue_id, row.package_number, row.project_number],
}

export const orgIssueOrders: Readonly<Record<OrgIssueSort, Keyset<OrgIssueRow>>> = {
  severity: bySeverity,
  '-severity': { ...bySeverity, order: 'desc' },
  known: byAge,
  '-known': { ...byAge, order: 'desc' },
}

type AnyQuery = SelectQueryBuilder<never, never, OrgIssueRow>

/**
 * Issues of all projects of an organisation. The order begins with columns of `org_issues`, which has few rows, and goes
 * on with projects in the order of the inverted index: a page reads as many rows as it shows, wherever it lies.
 */
export async function listOrgIssues(
  db: Db,
  { orgNumber, filters, sort, now }: { orgNumber: number; filters: OrgIssueFilters; sort: OrgIssueSort; now: number },
  window: Window,
): Promise<Page<OrgIssueRow>> {
  return readPage(orgIssues(db, orgNumber, { filters, now }) as unknown as AnyQuery, orgIssueOrders[sort], window)
}

function orgIssues(db: Db, orgNumber: number, { filters, now }: { filters: OrgIssueFilters; now: number }) {
  const { issueId, severities, isIgnored, projectNumber, packageName, packageVersion, knownFrom, knownUntil } = filters
  let query = db
    .selectFrom('org_issues as oi')
    .innerJoin('project_packages as pp', (join) =>
      join.onRef('pp.package_number', '=', 'oi.package_number').onRef('pp.org_number', '=', 'oi.org_number'),
    )
    .innerJoin('projects as p', 'p.number', 'pp.project_number')
    .innerJoin('package_issues as pi', (join) =>
      join.onRef('pi.package_number', '=', 'oi.package_number').onRef('pi.issue_id', '=', 'oi.issue_id'),
    )
    .innerJoin('packages as k', 'k.number', 'oi.package_number')
    .leftJoin('ignored_issues as ii', (join) =>
      join.onRef('ii.project_number', '=', 'pp.project_number').onRef('ii.issue_id', '=', 'oi.issue_id'),
    )
    .select(['oi.org_number', 'oi.package_number', 'oi.issue_id', 'oi.severity', 'oi.known_since', 'pi.title'])
    .select(['pi.facts', 'k.name', 'k.version', 'k.registry', 'pp.project_number', 'p.id as project_id'])
    .select(['p.name as project_name', 'p.type as project_type', 'p.created_at as project_created_at'])
    .select('ii.ignored_until')
    .where('oi.org_number', '=', orgNumber)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('package_issues as other')
            .innerJoin('project_packages as own', 'own.package_number', 'other.package_number')
            .select('other.issue_id')
            .whereRef('other.issue_id', '=', 'oi.issue_id')
            .whereRef('other.package_number', '<', 'oi.package_number')
            .whereRef('own.project_number', '=', 'pp.project_number'),
        ),
      ),
    )
  if (issueId !== undefined) query = query.where('oi.issue_id', '=', issueId)
  if (severities !== undefined) query = query.where('oi.severity', 'in', severities)
  if (projectNumber !== undefined) query = query.where('pp.project_number', '=', projectNumber)
  if (packageName !== undefined) query = query.where('k.name', '=', packageName)
  if (packageVersion !== undefined) query = query.where('k.version', '=', packageVersion)
  if (knownFrom !== undefined) query = query.where('oi.known_since', '>=', knownFrom)
  if (knownUntil !== undefined) query = query.where('oi.known_since', '<=', knownUntil)
  if (isIgnored === true) query = query.where('ii.ignored_until', '>', now)
  if (isIgnored === false) {
    query = query.where(({ eb, or }) => or([eb('ii.ignored_until', 'is', null), eb('ii.ignored_until', '<=', now)]))
  }
  return query
}
