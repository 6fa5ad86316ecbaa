import type { Migration } from '../../migration.ts'

export const endsOfIgnores: Migration = {
  name: '0021-ends-of-ignores',
  statements: () => [
    // The next expiry of any ignore.
    'create index ignored_issues_by_end on ignored_issues (ignored_until)',
  ],
}
