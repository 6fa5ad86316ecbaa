import type { Migration } from '../migration.ts'

export const importWorkers: Migration = {
  name: '0046-import-workers',
  statements: ({ text }) => [
    // Those that test manifests of a pending import on PostgreSQL, each with a lease. What one claimed is free again
    // when its row is gone or its lease has expired.
    `create table import_workers (
      id ${text} not null primary key,
      import_id ${text} not null references imports (id) on delete cascade,
      process_id ${text} not null,
      lease_ends_at bigint not null
    )`,
    'create index import_workers_by_import on import_workers (import_id)',
    `alter table import_manifests add column claimed_by ${text}`,
  ],
}
