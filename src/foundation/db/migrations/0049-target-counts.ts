import type { Migration } from '../migration.ts'

/** Every target has a row of counts, so that one index lists all targets by their issues. */
export const targetCounts: Migration = {
  name: '0049-target-counts',
  statements: () => [
    `insert into target_issue_counts (target_id, org_id, critical, high, medium, low)
      select t.id, t.org_id, 0, 0, 0, 0 from targets t
      where not exists (select 1 from target_issue_counts c where c.target_id = t.id)`,
  ],
}
