import type { Migration } from '../../migration.ts'

const DAY_MS = 86_400_000
const severities = ['low', 'medium', 'high', 'critical'] as const

const measures = `
  change bigint not null,
  opened bigint not null,
  fixed bigint not null,
  ignored bigint not null,
  timed bigint not null,
  fix_ms bigint not null`

export const trends: Migration = {
  name: '0037-trends',
  statements: ({ text, bytes, counter, keyed }) => [
    // Changes of a project's issues of one severity (1 to 4) on a day, counted from 1970 in UTC. `change` is the
    // difference of open issues; of the fixed ones, `timed` have a known age, and `fix_ms` is the sum of these ages.
    `create table project_trends (
      project_number bigint not null references projects (number) on delete cascade,
      day integer not null,
      severity integer not null check (severity between 1 and 4),
      ${measures},
      primary key (project_number, day, severity)
    )${keyed}`,
    // The same of an organization, without the changes that still have to be added.
    `create table org_trends (
      org_id ${text} not null references orgs (id) on delete cascade,
      day integer not null,
      severity integer not null check (severity between 1 and 4),
      ${measures},
      primary key (org_id, day, severity)
    )${keyed}`,
    // Changes to add: transactions only insert here, so they never wait for each other.
    `create table trend_changes (
      id ${counter},
      org_id ${text} not null references orgs (id) on delete cascade,
      target_id ${text} not null,
      day integer not null,
      severity integer not null,
      ${measures}
    )`,
    'create index trend_changes_by_org on trend_changes (org_id)',
    // Open issues of all projects of a target, without the changes that still have to be added: for its place in a list.
    `create table target_issue_counts (
      target_id ${text} not null primary key references targets (id) on delete cascade,
      org_id ${text} not null references orgs (id) on delete cascade,
      critical bigint not null,
      high bigint not null,
      medium bigint not null,
      low bigint not null
    )`,
    'create index target_issue_counts_by_severity on target_issue_counts (org_id, critical, high, medium, low, target_id)',
    'create index projects_by_coverage on projects (org_id, is_complete, source_failed_at)',
    ...severities.map((severity, at) => fillProjects(severity, at + 1, bytes === 'bytea')),
    `insert into org_trends (org_id, day, severity, change, opened, fixed, ignored, timed, fix_ms)
      select p.org_id, t.day, t.severity, sum(t.change), sum(t.opened), sum(t.fixed), 0, 0, 0
      from project_trends t join projects p on p.number = t.project_number
      group by p.org_id, t.day, t.severity`,
    `insert into target_issue_counts (target_id, org_id, critical, high, medium, low)
      select p.target_id, p.org_id, sum(c.critical), sum(c.high), sum(c.medium), sum(c.low)
      from project_issue_counts c join projects p on p.number = c.project_number
      group by p.target_id, p.org_id`,
  ],
}

/**
 * Derives days from stored tests, the last one of each day: more issues than before were opened, fewer were fixed. A
 * project starts, on the day of its creation, with the issues of its oldest stored test. It ends with the current ones.
 */
function fillProjects(severity: (typeof severities)[number], number: number, isPostgres: boolean): string {
  const counted = (kind: string) =>
    isPostgres
      ? `cast(cast(t.counts as jsonb) #>> '{${kind},${severity}}' as integer)`
      : `json_extract(t.counts, '$.${kind}.${severity}')`
  return `insert into project_trends (project_number, day, severity, change, opened, fixed, ignored, timed, fix_ms)
    select project_number, day, ${number}, change, case when change > 0 then change else 0 end,
      case when change < 0 then -change else 0 end, 0, 0, 0
    from (
      select project_number, day, level - lag(level, 1, 0) over (partition by project_number order by day) as change
      from (
        select d.project_number, case when d.nth = 1 then p.created_at / ${DAY_MS} else d.day end as day,
          case when d.nth_last = 1 then c.${severity} else d.level end as level
        from (
          select project_number, day, level,
            row_number() over (partition by project_number order by day) as nth,
            row_number() over (partition by project_number order by day desc) as nth_last
          from (
            select t.project_number, t.tested_at / ${DAY_MS} as day,
              ${counted('vulnerabilities')} + ${counted('licenses')} as level,
              row_number() over (
                partition by t.project_number, t.tested_at / ${DAY_MS} order by t.tested_at desc, t.id desc
              ) as of_day
            from project_tests t
          ) as tests
          where of_day = 1
        ) as d
        join projects p on p.number = d.project_number
        join project_issue_counts c on c.project_number = d.project_number
        union all
        select p.number, p.created_at / ${DAY_MS}, c.${severity}
        from projects p join project_issue_counts c on c.project_number = p.number
        where not exists (select 1 from project_tests t where t.project_number = p.number)
      ) as levels
    ) as changes
    where change <> 0`
}
