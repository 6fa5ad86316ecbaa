import type { Migration } from '../migration.ts'

export const replacedSecrets: Migration = {
  name: '0007-replaced-secrets',
  statements: () => [
    // When a successor was made for a secret that works on until `retires_at`: uses since then are of programs that
    // have not moved over.
    'alter table credentials add column replaced_at bigint',
  ],
}
