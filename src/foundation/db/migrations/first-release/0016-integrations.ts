import type { Migration } from '../../migration.ts'

export const integrations: Migration = {
  name: '0016-integrations',
  statements: ({ text, bytes }) => [
    // Repository sources. `credentials` is encrypted JSON; `settings` is JSON defined by the kind. `base_url` is the
    // address, for kinds without one well-known address.
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
    // Uploaded archives in pieces, deleted when no import needs them. Invisible until `is_whole`: size and digest are
    // known at the end.
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
