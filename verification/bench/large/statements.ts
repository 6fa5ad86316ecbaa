/** Names of synthetic packages; each has three versions. */
export const NAMES = 20_000
/** Packages of a project, besides the one that all contain. Each comes from a part of the names of its own. */
export const PACKAGES_OF_PROJECT = 84
/** Projects that one statement counts, so that their issues are sorted in memory. */
export const COUNTED_AT_ONCE = 50_000

const DAY_MS = 86_400_000
const FIRST_DAY_MS = 1_700_000_000_000
const NAMES_OF_PART = Math.floor(NAMES / PACKAGES_OF_PROJECT)
/** Prime to the names of a part, so that common packages are others than those with the most advisories. */
const STRIDE = 7_919
/** The higher, the fewer packages are common. */
const SKEW = 5

/** A table of `public` that a statement fills while it has no index. */
export interface Filling {
  readonly table: string
  readonly sql: string
}

/** A number from 0 to 1 that depends on a project, a part of the names and a seed only. */
function chance(seed: number): string {
  return `((hashint8extended(n * 128 + part, ${seed}) & 4294967295) / 4294967296.0::float8)`
}

/**
 * Statements that make targets and projects of `bench.orgs` (`org_number`, `org_id`, and the numbers of its projects from
 * `first` to `last`), and of `packages` and `package_issues` of the product.
 */
export const preparations: readonly string[] = [
  `create table bench.packages as
    select k.number, k.registry, k.name, k.version, k.registry || '/' || k.name as key,
      (k.number - (select min(number) from packages) - 1) % ${NAMES} as name_number,
      (k.number - (select min(number) from packages) - 1) / ${NAMES} as version_number,
      count(i.issue_id) as issues, coalesce(max(i.severity), 0) as severity,
      count(*) filter (where i.severity = 4) as critical, count(*) filter (where i.severity = 3) as high,
      count(*) filter (where i.severity = 2) as medium, count(*) filter (where i.severity = 1) as low,
      count(*) filter (where i.facts::jsonb ->> 'exploitMaturity' = 'mature') as exploited,
      count(*) filter (where jsonb_array_length(i.facts::jsonb -> 'fixedIn') > 0) as fixable
    from packages k left join package_issues i on i.package_number = k.number
    group by k.number`,
  'create index on bench.packages (number)',
  'create index on bench.packages (name_number, version_number)',
  'analyze bench.packages',
  `insert into targets (id, org_id, origin, source_key, display_name, url, is_private, created_at)
    select md5('target ' || t)::uuid::text, o.org_id, 'github', 'bench ' || t, 'team-' || t % 300 || '/service-' || t,
      'https://git.example/team-' || t % 300 || '/service-' || t, case when t % 4 = 0 then 0 else 1 end, ${FIRST_DAY_MS} + t
    from bench.orgs o cross join lateral generate_series(o.first / 2, o.last / 2) t
    on conflict do nothing`,
  `insert into projects (number, id, org_id, target_id, place_key, name, origin, type, target_file, target_reference,
      status, test_frequency, importer_name, business_criticality, environment, lifecycle, tags, total_dependencies, licenses,
      is_complete, created_at, updated_at, tested_at, next_test_at, indexed_name, indexed_org_id)
    select n, md5('project ' || n)::uuid::text, org_id, md5('target ' || n / 2)::uuid::text, 'bench ' || n % 2, name, 'github',
      case when n % 5 = 3 then 'yarn' else 'npm' end, file, 'main', case when n % 20 = 0 then 'inactive' else 'active' end,
      'daily', 'bench', '[]', '[]', '[]', '[]', ${PACKAGES_OF_PROJECT + 1}, '{"MIT":${PACKAGES_OF_PROJECT},"ISC":1}', 1, at, at, at,
      extract(epoch from now()) * 1000 + 7 * ${DAY_MS}, name, org_id
    from (
      select n, o.org_id, file, 'team-' || n / 2 % 300 || '/service-' || n / 2 || ':' || file as name,
        ${FIRST_DAY_MS} + n % 600 * ${DAY_MS} + n as at
      from bench.orgs o cross join lateral generate_series(o.first, o.last) n
      cross join lateral (select case when n % 2 = 0 then 'package.json' else 'web/package.json' end as file) f
    ) as p`,
  `select setval(pg_get_serial_sequence('projects', 'number'), (select max(number) from projects))`,
]

/** Statements that fill tables with the packages of projects, and their issues by organization. */
export const fillings: readonly Filling[] = [
  {
    table: 'project_packages',
    sql: `insert into project_packages (project_number, package_number, org_number)
      select n, k.number, o.org_number
      from bench.orgs o cross join lateral generate_series(o.first, o.last) n
      cross join generate_series(0, ${PACKAGES_OF_PROJECT - 1}) part
      join bench.packages k on k.name_number = part * ${NAMES_OF_PART}
          + (floor(${NAMES_OF_PART} * power(${chance(7)}, ${SKEW}))::bigint * ${STRIDE} + 11) % ${NAMES_OF_PART}
        and k.version_number = case when ${chance(8)} < 0.6 then 0 when ${chance(8)} < 0.85 then 1 else 2 end
      union all
      select n, (select min(number) from packages), o.org_number
      from bench.orgs o cross join lateral generate_series(o.first, o.last) n`,
  },
  {
    table: 'org_packages',
    sql: `insert into org_packages (org_number, package_number, name, version, severity, projects, spelling, license)
      select pp.org_number, k.number, k.name, k.version, k.severity, pp.projects, k.name,
        case when k.number % 9 = 0 then 'ISC' else 'MIT' end
      from (select org_number, package_number, count(*) as projects from project_packages
        group by org_number, package_number) pp
      join bench.packages k on k.number = pp.package_number`,
  },
  {
    table: 'org_issues',
    sql: `insert into org_issues (org_number, package_number, issue_id, severity, known_since)
      select op.org_number, op.package_number, i.issue_id, i.severity,
        ${FIRST_DAY_MS} + (hashtextextended(i.issue_id, op.org_number) & 1023) * ${DAY_MS / 2}
      from org_packages op join package_issues i on i.package_number = op.package_number`,
  },
]

/** Counts of the projects with numbers from `from` to `to`, as `issue-counts-store.ts` writes them. */
export function countProjects(from: number, to: number): string {
  return `insert into project_issue_counts (project_number, change_number, policy_revision, valid_until, critical, high,
      medium, low, ignored_critical, ignored_high, ignored_medium, ignored_low, org_number, listed, exploited, fixable)
    select c.project_number, (select change_number from matched_advisories), 0, ${Number.MAX_SAFE_INTEGER}, c.critical, c.high,
      c.medium, c.low, 0, 0, 0, 0, c.org_number,
      '{"o":[' || coalesce(l.ids, '') || '],"i":[],"p":{' || coalesce(c.packages, '') || '}}', c.exploited, c.fixable
    from (
      select pp.project_number, pp.org_number, sum(k.critical) as critical, sum(k.high) as high, sum(k.medium) as medium,
        sum(k.low) as low, sum(k.exploited) as exploited, sum(k.fixable) as fixable,
        string_agg('"' || k.key || '":[' || k.issues || ',0]', ',' order by k.key) filter (where k.issues > 0) as packages
      from project_packages pp join bench.packages k on k.number = pp.package_number
      where pp.project_number between ${from} and ${to}
      group by pp.project_number, pp.org_number
    ) as c
    left join (
      select pp.project_number, string_agg('"' || i.issue_id || '"', ',' order by i.issue_id) as ids
      from project_packages pp join package_issues i on i.package_number = pp.package_number
      where pp.project_number between ${from} and ${to}
      group by pp.project_number
    ) as l on l.project_number = c.project_number`
}

/** Groups of all organizations but the one that has been described. */
export function copyGroups(described: number): string {
  const signals = 'exploited_since, cves, epss, epss_percentile, direct'
  const columns = `severity, score, is_exploited, is_fixable, known_since, registry, details, search_text, ${signals}`
  return `insert into issue_groups (org_number, kind, group_key, ${columns}, projects, issues, ignored, is_stale)
    select t.org_number, g.kind, g.group_key, ${columns
      .split(', ')
      .map((name) => `g.${name}`)
      .join(', ')}, t.projects, t.issues, 0, 0
    from bench.totals t join issue_groups g on g.org_number = ${described} and g.kind = t.kind and g.group_key = t.group_key
    where t.org_number <> ${described}`
}

export const totalsOfGroups = `create table bench.totals as
  select op.org_number, 'vulnerability' as kind, i.issue_id as group_key, sum(op.projects) as projects,
    sum(op.projects) as issues
  from org_packages op join package_issues i on i.package_number = op.package_number
  group by op.org_number, i.issue_id
  union all
  select op.org_number, 'package', k.key, sum(op.projects), sum(op.projects * k.issues)
  from org_packages op join bench.packages k on k.number = op.package_number and k.issues > 0
  group by op.org_number, k.key`

export function describedTotals(described: number): string {
  return `update issue_groups g set projects = t.projects, issues = t.issues
    from bench.totals t where g.org_number = ${described} and t.org_number = g.org_number and t.kind = g.kind
      and t.group_key = g.group_key`
}

/** Statements that fill tables from the counts of projects. */
export const followers: readonly Filling[] = [
  {
    table: 'project_trends',
    sql: `insert into project_trends (project_number, day, severity, change, opened, fixed, ignored, timed, fix_ms)
      select p.number, p.created_at / ${DAY_MS}, s.severity, s.issues, s.issues, 0, 0, 0, 0
      from projects p join project_issue_counts c on c.project_number = p.number
      cross join lateral (values (1, c.low), (2, c.medium), (3, c.high), (4, c.critical)) s (severity, issues)
      where s.issues > 0`,
  },
  {
    table: 'org_trends',
    sql: `insert into org_trends (org_id, day, severity, change, opened, fixed, ignored, timed, fix_ms)
      select p.org_id, t.day, t.severity, sum(t.change), sum(t.opened), 0, 0, 0, 0
      from project_trends t join projects p on p.number = t.project_number
      group by p.org_id, t.day, t.severity`,
  },
  {
    table: 'target_issue_counts',
    sql: `insert into target_issue_counts (target_id, org_id, critical, high, medium, low)
      select p.target_id, p.org_id, sum(c.critical), sum(c.high), sum(c.medium), sum(c.low)
      from project_issue_counts c join projects p on p.number = c.project_number
      group by p.target_id, p.org_id`,
  },
  {
    table: 'project_upgrades',
    sql: `insert into project_upgrades (project_number, registry, package, from_version, to_version, fixes, critical)
      select pp.project_number, k.registry, k.name, k.version, '99.0.0', k.issues, k.critical
      from project_packages pp join bench.packages k on k.number = pp.package_number
      where k.issues > 0 and k.name_number < ${5 * NAMES_OF_PART}`,
  },
  {
    table: 'org_upgrades',
    sql: `insert into org_upgrades (org_id, registry, package, from_version, to_version, fixes, critical, projects)
      select o.org_id, k.registry, k.name, k.version, '99.0.0', op.projects * k.issues, op.projects * k.critical, op.projects
      from org_packages op join bench.packages k on k.number = op.package_number
      join bench.orgs o on o.org_number = op.org_number
      where k.issues > 0 and k.name_number < ${5 * NAMES_OF_PART}`,
  },
  {
    table: 'project_tests',
    sql: `insert into project_tests (id, project_number, tested_at, cause, counts, total_dependencies)
      select md5('test ' || p.number)::uuid::text, p.number, p.tested_at, 'import',
        '{"vulnerabilities":{"critical":' || c.critical || ',"high":' || c.high || ',"medium":' || c.medium || ',"low":' || c.low
          || '},"licenses":{"critical":0,"high":0,"medium":0,"low":0}}', p.total_dependencies
      from projects p join project_issue_counts c on c.project_number = p.number`,
  },
  {
    table: 'project_name_parts',
    sql: `insert into project_name_parts (org_number, part, project_number)
      select distinct o.org_number, substr(lower(p.name), at, 8), p.number
      from bench.orgs o join projects p on p.number between o.first and o.last
      cross join lateral generate_series(1, length(p.name)) at`,
  },
]
