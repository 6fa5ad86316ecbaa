import type { Migration } from '../migration.ts'

export const targetCountsSessionPolicies: Migration = {
  name: '0049-target-counts-session-policies',
  statements: () => [
    // Every target has a row of counts, so that one index lists all targets by their issues.
    `insert into target_issue_counts (target_id, org_id, critical, high, medium, low)
      select t.id, t.org_id, 0, 0, 0, 0 from targets t
      where not exists (select 1 from target_issue_counts c where c.target_id = t.id)`,
    // Shorter limits for sessions of a group's members than the server's; null: the server's.
    'alter table groups add column session_hours integer',
    'alter table groups add column session_idle_minutes integer',
  ],
}
