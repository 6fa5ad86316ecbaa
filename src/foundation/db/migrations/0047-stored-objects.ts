import type { Migration } from '../migration.ts'

export const storedObjects: Migration = {
  name: '0047-stored-objects',
  statements: ({ text }) => [
    'alter table archives add column is_in_bucket integer not null default 0',
    // Objects of the bucket, each committed before it is sent. Without a reference to the archive: the row outlives it
    // until the object is removed.
    `create table stored_objects (
      key ${text} not null primary key,
      archive_id ${text} not null,
      created_at bigint not null,
      orphaned_at bigint
    )`,
    'create index stored_objects_by_archive on stored_objects (archive_id, key)',
    'create index stored_objects_by_orphaned_at on stored_objects (orphaned_at)',
  ],
}
