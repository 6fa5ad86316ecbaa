import type { Migration } from '../../migration.ts'

export const leftOut: Migration = {
  name: '0029-left-out',
  statements: ({ text }) => [
    // JSON: everything that an import found and does not test, with the reason.
    `alter table imports add column left_out ${text}`,
  ],
}
