import type { Migration } from '../migration.ts'

export const importsByState: Migration = {
  name: '0025-imports-by-state',
  statements: () => [
    // An organisation's few that are pending, or that somebody asked for, among years of those that were due again.
    'create index imports_by_state on imports (org_id, state, created_at, id)',
    'create index imports_by_cause on imports (org_id, cause, created_at, id)',
  ],
}
