import type { Migration } from '../../migration.ts'

export const jobs: Migration = {
  name: '0004-jobs',
  statements: ({ text }) => [
    // A job can be claimed if it is due and has no unexpired lease. `unique_key` keeps a second copy of the same work
    // out while the first waits or runs.
    `create table jobs (
      id ${text} not null primary key,
      kind ${text} not null,
      payload ${text} not null,
      unique_key ${text} unique,
      state ${text} not null check (state in ('waiting', 'running', 'failed')),
      due_at bigint not null,
      attempts integer not null,
      lease_owner ${text},
      lease_ends_at bigint,
      last_error ${text},
      created_at bigint not null,
      updated_at bigint not null
    )`,
    "create index jobs_claimable on jobs (due_at, id) where state <> 'failed'",
  ],
}
