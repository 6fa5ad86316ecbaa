import type { Migration } from '../../migration.ts'

export const secondFactors: Migration = {
  name: '0039-second-factors',
  statements: ({ text, bytes }) => [
    // A part of the mark of sign-ins, so that a change ends them. Null for users who never had a second factor.
    'alter table users add column factors_changed_at bigint',
    // Null: members decide.
    `alter table groups add column second_factor ${text} check (second_factor in ('required'))`,
    // `secret` is encrypted; `last_step` is the time step of the last code that was used. `credential_id`, `public_key`,
    // `sign_count` and `transports` (a JSON array) belong to passkeys.
    `create table second_factors (
      id ${text} not null primary key,
      user_id ${text} not null references users (id) on delete cascade,
      kind ${text} not null check (kind in ('totp', 'passkey')),
      name ${text} not null check (name <> ''),
      secret ${bytes},
      last_step bigint,
      credential_id ${text} unique,
      public_key ${bytes},
      sign_count bigint,
      transports ${text},
      created_at bigint not null,
      last_used_at bigint
    )`,
    'create index second_factors_by_user on second_factors (user_id, created_at, id)',
    // Keyed digests of the codes that are left.
    `create table recovery_codes (
      digest ${text} not null primary key,
      user_id ${text} not null references users (id) on delete cascade
    )`,
    'create index recovery_codes_by_user on recovery_codes (user_id)',
    // Sign-ins with a right password that wait for the second factor. `digest` is a keyed digest of the browser's cookie.
    `create table pending_sign_ins (
      digest ${text} not null primary key,
      user_id ${text} not null references users (id) on delete cascade,
      mark ${text} not null,
      failures integer not null,
      expires_at bigint not null
    )`,
    'create index pending_sign_ins_by_user on pending_sign_ins (user_id)',
    // Challenges of passkeys, and secrets of authenticator apps that are being set up. `holder` is the session or pending
    // sign-in for which one was made, or empty.
    `create table factor_challenges (
      digest ${text} not null primary key,
      purpose ${text} not null,
      holder ${text} not null,
      secret ${bytes},
      expires_at bigint not null
    )`,
    'create index factor_challenges_by_expiry on factor_challenges (expires_at)',
  ],
}
