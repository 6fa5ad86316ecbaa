import { sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
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
