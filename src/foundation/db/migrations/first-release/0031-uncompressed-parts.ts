import type { Migration } from '../../migration.ts'

export const uncompressedParts: Migration = {
  name: '0031-uncompressed-parts',
  // Most of a snapshot is compressed already: PostgreSQL spent more time trying than on everything else.
  statements: ({ bytes }) =>
    bytes === 'bytea' ? ['alter table advisory_snapshot_parts alter column bytes set storage external'] : [],
}
