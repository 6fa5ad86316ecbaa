import type { Migration } from '../migration.ts'

export const matchAgain: Migration = {
  name: '0050-match-again',
  // Stored facts tell since this version whether a vulnerability is exploited: the next run matches all packages.
  statements: () => ["update matched_advisories set digest = '', next_digest = null"],
}
