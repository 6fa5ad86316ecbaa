import { sql } from 'kysely'
import type { GroupRow } from '#features/issue-index/storage/groups-store.ts'
import { parsePackageKey, type Totals } from '#features/issue-index/storage/listed-issues-store.ts'
import type { Db } from '#foundation/db/database.ts'

export async function countLive(
  db: Db,
  { org_number, kind, group_key }: Pick<GroupRow, 'org_number' | 'kind' | 'group_key'>,
  now: number,
): Promise<Totals> {
  const { registry, name } = parsePackageKey(group_key)
  const members =
    kind === 'vulnerability'
      ? sql`pi.issue_id = ${group_key}`
      : sql`pi.package_number in (
          select number from packages where registry = ${registry} and name = ${name})`
  const { rows } = await sql<{ [Name in keyof Totals]: number | string }>`
    select count(distinct case when is_ignored = 0 then project_number end) as projects,
      count(distinct case when is_ignored = 0 and is_direct = 1 then project_number end) as direct,
      coalesce(sum(1 - is_ignored), 0) as issues, coalesce(sum(is_ignored), 0) as ignored
    from (
      select pp.project_number, pi.issue_id, max(pp.is_direct) as is_direct,
        max(case when ii.ignored_until > ${now} then 1 else 0 end) as is_ignored
      from package_issues pi
      join project_packages pp on pp.package_number = pi.package_number and pp.org_number = ${org_number}
      join projects p on p.number = pp.project_number
      left join ignored_issues ii on ii.project_number = pp.project_number and ii.issue_id = pi.issue_id
      where ${members}
      group by pp.project_number, pi.issue_id
    ) as live`.execute(db)
  const { projects, direct, issues, ignored } = rows[0]!
  return { projects: Number(projects), direct: Number(direct), issues: Number(issues), ignored: Number(ignored) }
}
