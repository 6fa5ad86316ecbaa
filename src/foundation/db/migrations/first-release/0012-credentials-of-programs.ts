import type { Migration } from '../../migration.ts'

export const credentialsOfPrograms: Migration = {
  name: '0012-credentials-of-programs',
  statements: ({ text }) => [
    // Also allows credentials of apps and installs. Neither engine can change a check in place, so the table is
    // rebuilt. `replaced_at` is when a secret got a successor; later uses until `retires_at` come from programs not yet
    // moved.
    'alter table credentials rename to credentials_before',
    'drop index credentials_by_owner',
    `create table credentials (
      id ${text} not null primary key,
      kind ${text} not null check (kind in ('api_key', 'client_secret')),
      owner_kind ${text} not null check (owner_kind in ('user', 'service_account', 'app', 'app_install')),
      owner_id ${text} not null,
      name ${text} not null,
      digest ${text} not null unique,
      hint ${text} not null,
      created_at bigint not null,
      last_used_at bigint,
      expires_at bigint,
      retires_at bigint,
      replaced_at bigint,
      allowed_networks ${text}
    )`,
    `insert into credentials
      (id, kind, owner_kind, owner_id, name, digest, hint, created_at, last_used_at, expires_at, retires_at, allowed_networks)
      select id, kind, owner_kind, owner_id, name, digest, hint, created_at, last_used_at, expires_at, retires_at,
        allowed_networks
      from credentials_before`,
    'drop table credentials_before',
    'create index credentials_by_owner on credentials (owner_id, created_at, id)',
  ],
}
