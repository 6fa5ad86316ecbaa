import type { Migration } from '../migration.ts'

export const owners: Migration = {
  name: '0053-owners',
  statements: ({ text, keyed }) => [
    // Assignee and due day (since 1970, UTC) of a vulnerability, set by users for a project or for all projects of a
    // repository; a null member is not set. `issue_id` follows the vulnerability when another record of it is
    // published. The assignee may have left the organization or been deleted.
    `create table triaged_issues (
      id ${text} not null primary key,
      project_number bigint references projects (number) on delete cascade,
      target_id ${text} references targets (id) on delete cascade,
      issue_id ${text} not null,
      assignee_id ${text},
      assignee_name ${text},
      due_day integer,
      updated_at bigint not null
    )`,
    'create unique index triaged_issues_by_project on triaged_issues (project_number, issue_id)',
    'create unique index triaged_issues_by_target on triaged_issues (target_id, issue_id)',
    'create index triaged_issues_by_issue on triaged_issues (issue_id)',
    'create index triaged_issues_by_assignee on triaged_issues (assignee_id)',
    'create index triaged_issues_by_due_day on triaged_issues (due_day)',
    `create table issue_comments (
      id ${text} not null primary key,
      project_number bigint references projects (number) on delete cascade,
      target_id ${text} references targets (id) on delete cascade,
      issue_id ${text} not null,
      author_id ${text} not null,
      author_name ${text} not null,
      body ${text} not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    'create index issue_comments_by_project on issue_comments (project_number, issue_id, created_at, id)',
    'create index issue_comments_by_target on issue_comments (target_id, issue_id, created_at, id)',
    'create index issue_comments_by_issue on issue_comments (issue_id)',
    // Days until a vulnerability must be fixed, by severity, and at most if it is known to be exploited; null: no limit.
    `create table sla_policies (
      org_id ${text} not null primary key references orgs (id) on delete cascade,
      critical_days integer,
      high_days integer,
      medium_days integer,
      low_days integer,
      exploited_days integer,
      updated_at bigint not null
    )`,
    // Due dates for which subscribers were notified. `place_id` is empty for a due date of the policy.
    `create table announced_due_days (
      org_id ${text} not null references orgs (id) on delete cascade,
      issue_id ${text} not null,
      place_id ${text} not null,
      due_day integer not null,
      primary key (org_id, issue_id, place_id, due_day)
    )${keyed}`,
    'create index announced_due_days_by_day on announced_due_days (due_day)',
  ],
}
