import type { Migration } from '../../migration.ts'

export const registryCache: Migration = {
  name: '0011-registry-cache',
  statements: ({ text, bytes }) => [
    // Registry answers, reduced and compressed; `body` is null for "no such package". `validated_at` is the registry's
    // last confirmation, `used_at` our last use (approximate).
    `create table registry_cache (
      key ${text} not null primary key,
      url ${text} not null,
      status integer not null check (status in (200, 404)),
      etag ${text},
      last_modified ${text},
      body ${bytes},
      size_bytes bigint not null,
      fetched_at bigint not null,
      validated_at bigint not null,
      used_at bigint not null,
      check ((status = 200) = (body is not null))
    )`,
    'create index registry_cache_by_use on registry_cache (used_at)',
  ],
}
