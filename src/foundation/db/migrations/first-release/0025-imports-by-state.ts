import type { Migration } from '../../migration.ts'

export const importsByState: Migration = {
  name: '0025-imports-by-state',
  statements: () => [
    // Finds an organization's pending and requested imports among years of repeated ones.
    'create index imports_by_state on imports (org_id, state, created_at, id)',
    'create index imports_by_cause on imports (org_id, cause, created_at, id)',
  ],
}
