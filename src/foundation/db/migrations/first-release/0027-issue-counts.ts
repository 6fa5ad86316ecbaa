import type { Migration } from '../../migration.ts'

export const issueCounts: Migration = {
  name: '0027-issue-counts',
  statements: () => [
    // Numbers each change of `package_issues` by newer advisories.
    'alter table matched_advisories add column change_number bigint not null default 0',
    // Counts changes of a policy; `counted_revision` is the last one reflected in all of the organization's counts.
    'alter table licence_policies add column revision integer not null default 1',
    'alter table licence_policies add column counted_revision integer not null default 0',
    // Issues per project and severity. A row is valid until `valid_until` (the next expiry of an ignore; 0: invalid),
    // for `policy_revision` (0: no policy), and while none of the project's packages changed after `change_number`.
    `create table project_issue_counts (
      project_number bigint not null primary key references projects (number) on delete cascade,
      change_number bigint not null,
      policy_revision integer not null,
      valid_until bigint not null,
      critical integer not null,
      high integer not null,
      medium integer not null,
      low integer not null,
      ignored_critical integer not null,
      ignored_high integer not null,
      ignored_medium integer not null,
      ignored_low integer not null
    )`,
    // Projects older than this step are counted in the background.
    `insert into project_issue_counts (project_number, change_number, policy_revision, valid_until, critical, high, medium,
        low, ignored_critical, ignored_high, ignored_medium, ignored_low)
      select number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 from projects`,
    'create index project_issue_counts_by_end on project_issue_counts (valid_until)',
    // Packages with changed issues, until all their projects were recounted; `after_org` and `after_project` are the
    // last recounted.
    `create table packages_to_recount (
      package_number bigint not null primary key references packages (number) on delete cascade,
      change_number bigint not null,
      after_org bigint not null,
      after_project bigint not null
    )`,
  ],
}
