import type { Migration } from '../migration.ts'

export const endsOfIgnores: Migration = {
  name: '0021-ends-of-ignores',
  statements: () => [
    // When the next ignore ends, of whatever project.
    'create index ignored_issues_by_end on ignored_issues (ignored_until)',
  ],
}
