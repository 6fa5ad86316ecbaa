import type { Migration } from '../../migration.ts'

export const advisories: Migration = {
  name: '0010-advisories',
  statements: ({ text, bytes }) => [
    // `ready` is 1 once every part is stored. `checked_at` is when its source was last found unchanged.
    `create table advisory_snapshots (
      digest ${text} not null primary key,
      built_at bigint not null,
      checked_at bigint not null,
      source ${text} not null,
      is_starter_set integer not null check (is_starter_set in (0, 1)),
      records integer not null,
      size_bytes bigint not null,
      stored_at bigint not null,
      ready integer not null check (ready in (0, 1))
    )`,
    `create table advisory_snapshot_parts (
      digest ${text} not null references advisory_snapshots (digest) on delete cascade,
      n integer not null,
      bytes ${bytes} not null,
      primary key (digest, n)
    )`,
  ],
}
