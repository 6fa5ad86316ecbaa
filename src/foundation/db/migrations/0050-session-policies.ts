import type { Migration } from '../migration.ts'

export const sessionPolicies: Migration = {
  name: '0050-session-policies',
  statements: () => [
    // Shorter limits for sessions of a group's members than the server's; null: the server's.
    'alter table groups add column session_hours integer',
    'alter table groups add column session_idle_minutes integer',
  ],
}
