import { sql } from 'kysely'
import { severities } from '#analysis/findings/known-issue.ts'
import { noIssues, type SeverityCounts } from '#features/issue-index/severity-counts.ts'
import type { GroupDetails } from '#features/issue-index/storage/group-details-store.ts'
import { countRows } from '#foundation/db/count-rows.ts'
import type { Db } from '#foundation/db/database.ts'

/**
 * Counts projects by the coverage of their last test, each once. One whose files can no longer be read is incomplete.
 */
export async function countProjects(db: Db, orgId: string) {
  const { rows } = await sql<{ is_complete: number | null; is_stale: number; projects: number }>`
    select is_complete, case when source_failed_at is null then 0 else 1 end as is_stale, count(*) as projects
    from projects where org_id = ${orgId} group by 1, 2`.execute(db)
  const totals = { complete: 0, incomplete: 0, untested: 0 }
  for (const { is_complete, is_stale, projects } of rows) {
    const isWhole = Number(is_complete) === 1 && Number(is_stale) === 0
    totals[is_complete === null ? 'untested' : isWhole ? 'complete' : 'incomplete'] += Number(projects)
  }
  return totals
}

export async function countRepositories(db: Db, orgId: string): Promise<number> {
  return countRows(db.selectFrom('targets').where('org_id', '=', orgId))
}

/** Counts the open issues of all projects. An issue counts once per project. */
export async function countOpenIssues(db: Db, orgId: string): Promise<SeverityCounts> {
  const { rows } = await sql<{ severity: number; open: number }>`
    select severity, sum(change) as open from (
      select severity, change from org_trends where org_id = ${orgId}
      union all
      select severity, change from trend_changes where org_id = ${orgId}
    ) as t group by severity`.execute(db)
  const counts = { ...noIssues } as Record<keyof SeverityCounts, number>
  for (const { severity, open } of rows) counts[severities[Number(severity) - 1]!] = Number(open)
  return counts
}

/** Returns true while newer advisories or expired ignores are not yet counted everywhere. */
export async function isCounting(db: Db, now: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 where exists (select 1 from packages_to_recount)
      or exists (select 1 from project_issue_counts where valid_until <= ${now})`.execute(db)
  return rows.length > 0
}

/** Lists vulnerabilities of the organization's projects that are known to be exploited since a time, newest first. */
export async function listNewlyExploited(db: Db, orgId: string, { since, limit }: { since: number; limit: number }) {
  const { rows } = await sql<{ group_key: string; details: string; exploited_since: number; projects: number }>`
    select g.group_key, g.details, g.exploited_since, g.projects
    from issue_groups g join org_numbers o on o.number = g.org_number
    where o.org_id = ${orgId} and g.kind = 'vulnerability' and g.exploited_since > 0
      and g.exploited_since >= ${since} and g.projects > 0
    order by g.exploited_since desc, g.group_key limit ${sql.lit(limit)}`.execute(db)
  return rows.map(({ group_key, details, exploited_since, projects }) => ({
    id: group_key,
    title: (JSON.parse(details) as GroupDetails).title,
    since: Number(exploited_since),
    projects: Number(projects),
  }))
}

export interface RepositoryRow extends SeverityCounts {
  readonly id: string
  readonly name: string
  readonly projects: number
  /** Projects without a complete test of current files. */
  readonly incomplete: number
}

/** Lists the repositories with the most critical issues, then high ones, and so on; none without issues. */
export async function listWorstRepositories(db: Db, orgId: string, limit: number): Promise<RepositoryRow[]> {
  const { rows } = await sql<RepositoryRow>`
    select t.id, t.display_name as name, count(*) as projects,
      sum(case when p.is_complete = 1 and p.source_failed_at is null then 0 else 1 end) as incomplete,
      sum(coalesce(c.critical, 0)) as critical, sum(coalesce(c.high, 0)) as high,
      sum(coalesce(c.medium, 0)) as medium, sum(coalesce(c.low, 0)) as low
    from (
      select target_id from target_issue_counts
      where org_id = ${orgId} and (critical, high, medium, low) > (0, 0, 0, 0)
      order by critical desc, high desc, medium desc, low desc, target_id desc limit ${sql.lit(limit)}
    ) as worst
    join targets t on t.id = worst.target_id
    join projects p on p.target_id = t.id
    left join project_issue_counts c on c.project_number = p.number
    group by t.id, t.display_name
    order by critical desc, high desc, medium desc, low desc, t.id`.execute(db)
  return rows
}
