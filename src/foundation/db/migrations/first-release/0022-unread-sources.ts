import type { Migration } from '../../migration.ts'

export const unreadSources: Migration = {
  name: '0022-unread-sources',
  statements: ({ text }) => [
    // When a project's files were last read from their source, and why and since when that fails. Null until then: only
    // tests of sent or requested files are known.
    'alter table projects add column source_read_at bigint',
    `alter table projects add column source_failure ${text}`,
    'alter table projects add column source_failed_at bigint',
    `update projects set source_read_at = (
      select max(t.tested_at) from project_tests t where t.project_number = projects.number and t.cause in ('import', 'monitor')
    )`,
  ],
}
