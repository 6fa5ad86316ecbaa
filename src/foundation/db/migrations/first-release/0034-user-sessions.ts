import type { Migration } from '../../migration.ts'

export const userSessions: Migration = {
  name: '0034-user-sessions',
  statements: ({ text }) => [
    // Browsers in which users are signed in. `digest` is a keyed digest of the cookie. `mark` is a digest of the password
    // state; a session with another mark has ended. `id` is no secret.
    `create table user_sessions (
      id ${text} not null primary key,
      user_id ${text} not null references users (id) on delete cascade,
      digest ${text} not null unique,
      mark ${text} not null,
      user_agent ${text} not null,
      address ${text} not null,
      created_at bigint not null,
      signed_in_at bigint not null,
      last_used_at bigint not null
    )`,
    'create index user_sessions_by_user on user_sessions (user_id, last_used_at)',
    'create index user_sessions_by_use on user_sessions (last_used_at)',
    // One-time links with which users set a new password: at most one per user. `digest` is a keyed digest of its token.
    `create table password_resets (
      user_id ${text} not null primary key references users (id) on delete cascade,
      digest ${text} not null unique,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    // Their former place; users sign in again.
    `delete from oauth_records where model = 'Session'`,
  ],
}
