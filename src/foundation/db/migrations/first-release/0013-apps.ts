import type { Migration } from '../../migration.ts'

export const apps: Migration = {
  name: '0013-apps',
  statements: ({ text }) => [
    // A registered app. `redirect_uris` and `scopes` are JSON arrays. An app with `grant_type` client_credentials is
    // unattended: it has neither redirect URIs nor a client; each of its installs is one. A public app may be used
    // outside its group.
    `create table apps (
      id ${text} not null primary key,
      group_id ${text} not null references groups (id),
      org_id ${text} not null references orgs (id) on delete cascade,
      name ${text} not null check (name <> ''),
      client_id ${text} unique,
      context ${text} not null check (context in ('tenant', 'user')),
      grant_type ${text} not null check (grant_type in ('authorization_code', 'client_credentials')),
      is_confidential smallint not null check (is_confidential in (0, 1)),
      is_public smallint not null check (is_public in (0, 1)),
      redirect_uris ${text} not null,
      scopes ${text} not null,
      access_token_ttl_seconds integer not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    'create index apps_by_org on apps (org_id, created_at, id)',
    // An app's install: one organization, or the whole group if `org_id` is null. An unattended install has its own
    // client and no user. One consented to by a user has that user; a user's installs of one app share a `bot_id`,
    // under which the app acts.
    `create table app_installs (
      id ${text} not null primary key,
      bot_id ${text} not null,
      app_id ${text} not null references apps (id) on delete cascade,
      group_id ${text} not null references groups (id),
      org_id ${text} references orgs (id) on delete cascade,
      user_id ${text} references users (id) on delete cascade,
      client_id ${text} unique,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    "create unique index app_installs_by_place on app_installs (app_id, (coalesce(user_id, '')), (coalesce(org_id, group_id)))",
    'create index app_installs_by_org on app_installs (org_id, created_at, id)',
    'create index app_installs_by_group on app_installs (group_id, org_id, created_at, id)',
    'create index app_installs_by_user on app_installs (user_id, app_id, created_at, id)',
    'create index app_installs_by_bot on app_installs (bot_id)',
    // One authorization of an app by a user, from which codes and refresh tokens descend. `scopes` is a JSON array, a
    // subset of the app's.
    `create table app_sessions (
      id ${text} not null primary key,
      app_id ${text} not null references apps (id) on delete cascade,
      user_id ${text} not null references users (id) on delete cascade,
      bot_id ${text} not null,
      scopes ${text} not null,
      created_at bigint not null,
      last_used_at bigint
    )`,
    'create index app_sessions_by_user on app_sessions (user_id, app_id, created_at, id)',
    'create index app_sessions_by_app on app_sessions (app_id)',
    // Live access tokens: a token without a row is refused. `digest` is a keyed digest of the whole token. Exactly one
    // of session, install and service account is its base; it also ends with its client secret (`credential_id`).
    // `scopes` is a JSON array; null for all permissions of the account's role.
    `create table access_tokens (
      id ${text} not null primary key,
      digest ${text} not null unique,
      client_id ${text} not null,
      session_id ${text} references app_sessions (id) on delete cascade,
      install_id ${text} references app_installs (id) on delete cascade,
      service_account_id ${text} references service_accounts (id) on delete cascade,
      credential_id ${text} references credentials (id) on delete cascade,
      scopes ${text},
      issued_at bigint not null,
      expires_at bigint not null
    )`,
    'create index access_tokens_by_session on access_tokens (session_id)',
    'create index access_tokens_by_install on access_tokens (install_id)',
    'create index access_tokens_by_service_account on access_tokens (service_account_id)',
    'create index access_tokens_by_credential on access_tokens (credential_id)',
    'create index access_tokens_by_expiry on access_tokens (expires_at)',
  ],
}
