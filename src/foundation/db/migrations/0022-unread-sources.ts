import type { Migration } from '../migration.ts'

export const unreadSources: Migration = {
  name: '0022-unread-sources',
  statements: ({ text }) => [
    // What a project's issues are of: when its files were last taken from where they come from, and, while that cannot be
    // done again, why and since when. Until then only tests of what people sent or asked for are known to have read them.
    'alter table projects add column source_read_at bigint',
    `alter table projects add column source_failure ${text}`,
    'alter table projects add column source_failed_at bigint',
    `update projects set source_read_at = (
      select max(t.tested_at) from project_tests t where t.project_number = projects.number and t.cause in ('import', 'monitor')
    )`,
  ],
}
