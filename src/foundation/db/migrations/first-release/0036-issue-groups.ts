import type { Migration } from '../../migration.ts'

export const issueGroups: Migration = {
  name: '0036-issue-groups',
  statements: ({ text, keyed }) => [
    // Vulnerabilities and packages of an organization's projects, with totals of their issues. `group_key` is the issue's
    // id, or registry and name of the package. `score` is CVSS times ten. `details` is JSON for lists. `search_text`
    // holds ids, names and title in lower case. `projects` and `issues` are open ones; `ignored` counts issues.
    // `is_stale`: newer advisories changed the group, and its totals await a recount of its projects.
    `create table issue_groups (
      org_number bigint not null references org_numbers (number) on delete cascade,
      kind ${text} not null check (kind in ('vulnerability', 'package')),
      group_key ${text} not null,
      severity integer not null,
      score integer not null,
      is_exploited integer not null,
      is_fixable integer not null,
      known_since bigint not null,
      registry ${text} not null,
      details ${text} not null,
      search_text ${text} not null,
      projects bigint not null,
      issues bigint not null,
      ignored bigint not null,
      is_stale integer not null,
      primary key (org_number, kind, group_key)
    )${keyed}`,
    'create index issue_groups_by_priority on issue_groups (org_number, kind, is_exploited, severity, score, group_key)',
    'create index issue_groups_by_severity on issue_groups (org_number, kind, severity, score, group_key)',
    'create index issue_groups_by_projects on issue_groups (org_number, kind, projects, group_key)',
    'create index issue_groups_by_age on issue_groups (org_number, kind, known_since, group_key)',
    'create index issue_groups_stale on issue_groups (is_stale, org_number) where is_stale = 1',
    // `listed` is JSON of what the totals of groups include of the project; `exploited` and `fixable` are open issues.
    'alter table project_issue_counts add column org_number bigint not null default 0',
    `alter table project_issue_counts add column listed ${text} not null default ''`,
    'alter table project_issue_counts add column exploited integer not null default 0',
    'alter table project_issue_counts add column fixable integer not null default 0',
    `create index project_issue_counts_by_severity
      on project_issue_counts (org_number, exploited, critical, high, medium, low, project_number)`,
    // Projects older than this step are counted in the background.
    'update project_issue_counts set valid_until = 0',
  ],
}
