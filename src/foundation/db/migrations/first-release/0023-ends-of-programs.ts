import type { Migration } from '../../migration.ts'

export const endsOfPrograms: Migration = {
  name: '0023-ends-of-programs',
  statements: ({ text }) => [
    // Expiry and allowed networks of an account's authentication with its own keys; other credentials have these
    // themselves.
    'alter table service_accounts add column expires_at bigint',
    `alter table service_accounts add column allowed_networks ${text}`,
    // Marks a deleted app with many dependent rows: it no longer works, and its rows are deleted in steps.
    'alter table apps add column ended_at bigint',
  ],
}
