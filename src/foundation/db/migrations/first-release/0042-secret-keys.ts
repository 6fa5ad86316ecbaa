import type { Migration } from '../../migration.ts'

/** Keys that encrypt and sign, wrapped with the secret keys that may open them; empty before the first rotation. */
export const secretKeys: Migration = {
  name: '0042-secret-keys',
  statements: ({ text, bytes }) => [
    // `id` is that of a data key, or 'digest'. `wrapped_by` is the fingerprint of a secret key.
    `create table secret_keys (
      id ${text} not null,
      wrapped_by ${text} not null,
      wrapped ${bytes} not null,
      active_at bigint not null,
      primary key (id, wrapped_by)
    )`,
  ],
}
