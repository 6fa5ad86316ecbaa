import type { Migration } from '../migration.ts'

export const endsOfPrograms: Migration = {
  name: '0023-ends-of-programs',
  statements: ({ text }) => [
    // Until when, and from where, an account proves itself with keys of its own; others have this of each credential.
    'alter table service_accounts add column expires_at bigint',
    `alter table service_accounts add column allowed_networks ${text}`,
    // Of an app that was deleted while much hung from it: nothing of it works any more, and its rows go step by step.
    'alter table apps add column ended_at bigint',
  ],
}
