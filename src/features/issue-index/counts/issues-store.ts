import { sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { prepared } from '#foundation/db/prepared.ts'

const severity = sql<number>`coalesce(oi.severity, pi.severity)`

/** Selects the issues of the packages of projects, `pp`, with what projects ignore. */
export function issuesOfProjects(db: Db) {
  return db
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
    .select(['pi.package_number', 'k.name', 'k.version', 'k.variant', 'k.registry', 'pi.issue_id', 'pi.title'])
    .select([severity.as('severity'), 'pi.severity as own_severity', 'oi.policy_number'])
    .select(['pi.facts', sql<number>`coalesce(oi.known_since, 0)`.as('known_since'), 'ii.ignored_until'])
    .orderBy(severity, 'desc')
    .orderBy('pi.issue_id')
    .orderBy('pi.package_number')
}

/** Lists all issues of one project, worst first, then by id and package. */
export const listIssuesOfProject = prepared((db: Db, { projectNumber }: { projectNumber: number }) =>
  issuesOfProjects(db).where('pp.project_number', '=', projectNumber),
)

export async function listIgnoredIds(db: Db, projectNumber: number, now: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('ignored_issues')
    .select('issue_id')
    .where('project_number', '=', projectNumber)
    .where('ignored_until', '>', now)
    .execute()
  return new Set(rows.map(({ issue_id }) => issue_id))
}
