import type { Migration } from '../../migration.ts'

export const credentials: Migration = {
  name: '0002-credentials',
  statements: ({ text }) => [
    // `digest` is a keyed digest of the secret, never the secret. `hint` is its last four characters. A replaced secret
    // stops working at `retires_at`. `allowed_networks` is a JSON array of CIDRs.
    `create table credentials (
      id ${text} not null primary key,
      kind ${text} not null check (kind in ('api_key', 'client_secret')),
      owner_kind ${text} not null check (owner_kind in ('user', 'service_account')),
      owner_id ${text} not null,
      name ${text} not null,
      digest ${text} not null unique,
      hint ${text} not null,
      created_at bigint not null,
      last_used_at bigint,
      expires_at bigint,
      retires_at bigint,
      allowed_networks ${text}
    )`,
    'create index credentials_by_owner on credentials (owner_id, created_at, id)',
  ],
}
