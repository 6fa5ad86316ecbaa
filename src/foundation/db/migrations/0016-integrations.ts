import type { Migration } from '../migration.ts'

export const integrations: Migration = {
  name: '0016-integrations',
  statements: ({ text, bytes }) => [
    // Sources of repositories. `credentials` is JSON, encrypted; `settings` is JSON of the kind's own making.
    // `base_url` is where the source is, for kinds that are not at one well-known place.
    `create table integrations (
      id ${text} not null primary key,
      org_id ${text} not null references orgs (id) on delete cascade,
      kind ${text} not null,
      name ${text} not null,
      base_url ${text},
      settings ${text} not null,
      credentials ${bytes},
      created_at bigint not null,
      updated_at bigint not null
    )`,
    'create unique index integrations_by_name on integrations (org_id, name)',
    // Archives that were sent to be imported, in pieces; gone when nothing needs them any more. Until `is_whole` nobody
    // sees them: size and digest are known at the end.
    `create table archives (
      id ${text} not null primary key,
      integration_id ${text} not null references integrations (id) on delete cascade,
      name ${text} not null,
      size_bytes bigint not null,
      digest ${text} not null,
      is_whole integer not null,
      created_at bigint not null
    )`,
    'create index archives_by_integration on archives (integration_id, created_at, id)',
    `create table archive_pieces (
      archive_id ${text} not null references archives (id) on delete cascade,
      place integer not null,
      content ${bytes} not null,
      primary key (archive_id, place)
    )`,
  ],
}
