import type { Migration } from '../migration.ts'

export const jobsByOrg: Migration = {
  name: '0020-jobs-by-org',
  statements: ({ text }) => [
    // Whose work a job is: organisations take turns.
    `alter table jobs add column org_id ${text} references orgs (id) on delete cascade`,
    'create index jobs_by_state on jobs (state, kind, org_id)',
  ],
}
