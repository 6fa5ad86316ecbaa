import type { Migration } from '../migration.ts'

export const authorizationServer: Migration = {
  name: '0014-authorization-server',
  statements: ({ text, bytes }) => [
    // What the authorization server remembers between requests: sign-in sessions, interactions, grants, codes, refresh
    // tokens, assertions seen. `id` is a keyed digest where the id itself proves something; `payload` is encrypted.
    // `session_id` is the app session that codes and tokens descend from, and ends them with it.
    `create table oauth_records (
      model ${text} not null,
      id ${text} not null,
      payload ${bytes} not null,
      uid ${text},
      session_id ${text} references app_sessions (id) on delete cascade,
      consumed_at bigint,
      expires_at bigint,
      primary key (model, id)
    )`,
    'create index oauth_records_by_uid on oauth_records (model, uid)',
    'create index oauth_records_by_session on oauth_records (session_id)',
    'create index oauth_records_by_expiry on oauth_records (expires_at)',
    // Keys that sign access tokens. Published from `created_at`, used from `used_from` until the next one's, published
    // until what they signed has expired.
    `create table signing_keys (
      id ${text} not null primary key,
      algorithm ${text} not null,
      public_key ${text} not null,
      private_key ${bytes} not null,
      created_at bigint not null,
      used_from bigint not null
    )`,
    // Failed sign-ins, by what they are counted for: an account, an address, or both together.
    `create table sign_in_failures (
      id ${text} not null primary key,
      failures integer not null,
      last_at bigint not null,
      blocked_until bigint not null
    )`,
    'create index sign_in_failures_by_time on sign_in_failures (last_at)',
  ],
}
