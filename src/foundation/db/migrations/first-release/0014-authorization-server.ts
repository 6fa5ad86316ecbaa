import type { Migration } from '../../migration.ts'

export const authorizationServer: Migration = {
  name: '0014-authorization-server',
  statements: ({ text, bytes }) => [
    // State of the authorization server: sign-in sessions, interactions, grants, codes, refresh tokens, used
    // assertions. `id` is a keyed digest if it is itself a proof; `payload` is encrypted. Codes and tokens end with the
    // app session `session_id`.
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
    // Signing keys of access tokens. Published from `created_at`; used from `used_from` until the next key's; published
    // until all tokens signed with them have expired.
    `create table signing_keys (
      id ${text} not null primary key,
      algorithm ${text} not null,
      public_key ${text} not null,
      private_key ${bytes} not null,
      created_at bigint not null,
      used_from bigint not null
    )`,
    // Failed sign-ins by account, by address, and by both together.
    `create table sign_in_failures (
      id ${text} not null primary key,
      failures integer not null,
      last_at bigint not null,
      blocked_until bigint not null
    )`,
    'create index sign_in_failures_by_time on sign_in_failures (last_at)',
  ],
}
