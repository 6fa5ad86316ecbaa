import type { Migration } from '../../migration.ts'

export const jobsByOrg: Migration = {
  name: '0020-jobs-by-org',
  statements: ({ text }) => [
    // The organization of a job: organizations take turns.
    `alter table jobs add column org_id ${text} references orgs (id) on delete cascade`,
    'create index jobs_by_state on jobs (state, kind, org_id)',
  ],
}
