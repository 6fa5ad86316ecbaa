import type { Migration } from '../../migration.ts'

export const accounts: Migration = {
  name: '0001-accounts',
  statements: ({ text }) => [
    `create table settings (
      name ${text} not null primary key,
      value ${text} not null
    )`,
    `create table groups (
      id ${text} not null primary key,
      name ${text} not null check (name <> ''),
      slug ${text} not null unique,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create table orgs (
      id ${text} not null primary key,
      group_id ${text} not null references groups (id),
      name ${text} not null check (name <> ''),
      slug ${text} not null unique,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    'create index orgs_by_group on orgs (group_id, created_at, id)',
    'create index orgs_by_time on orgs (created_at, id)',
    // `group_id` is the group that manages the account. `email` is kept in lower case. A user without a password cannot
    // sign in with one.
    `create table users (
      id ${text} not null primary key,
      group_id ${text} not null references groups (id),
      email ${text} not null unique,
      username ${text} not null,
      name ${text} not null,
      password_hash ${text},
      created_at bigint not null,
      updated_at bigint not null
    )`,
    'create index users_by_group on users (group_id, created_at, id)',
    // `group_id` is null for the built-in roles. `permissions` is a JSON array of permission names.
    `create table roles (
      id ${text} not null primary key,
      group_id ${text} references groups (id) on delete cascade,
      name ${text} not null check (name <> ''),
      description ${text} not null,
      permissions ${text} not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    'create unique index roles_by_name on roles (group_id, name)',
    `create table service_accounts (
      id ${text} not null primary key,
      group_id ${text} not null references groups (id),
      org_id ${text} references orgs (id) on delete cascade,
      name ${text} not null check (name <> ''),
      auth_type ${text} not null check (auth_type in ('api_key', 'oauth_client_secret', 'oauth_private_key_jwt')),
      client_id ${text} unique,
      jwks_url ${text},
      access_token_ttl_seconds integer,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    // No partial indexes on tables of the hot path: SQLite would plan a query anew for every value that is bound.
    'create unique index service_accounts_by_name on service_accounts ((coalesce(org_id, group_id)), name)',
    'create index service_accounts_by_org on service_accounts (org_id, created_at, id)',
    'create index service_accounts_by_group on service_accounts (group_id, org_id, created_at, id)',
    // The roles of a principal: in the whole group if `org_id` is null, else in that organization.
    `create table memberships (
      id ${text} not null primary key,
      principal_kind ${text} not null check (principal_kind in ('user', 'service_account')),
      principal_id ${text} not null,
      group_id ${text} not null references groups (id),
      org_id ${text} references orgs (id) on delete cascade,
      role_id ${text} not null references roles (id),
      created_at bigint not null
    )`,
    'create unique index memberships_by_place on memberships (principal_id, (coalesce(org_id, group_id)))',
    'create index memberships_by_org on memberships (org_id, created_at, id)',
    'create index memberships_by_group on memberships (group_id, created_at, id)',
    'create index memberships_by_principal on memberships (principal_id, group_id, org_id, role_id)',
    'create index memberships_by_role on memberships (role_id)',
  ],
}
