import type { Migration } from '../../migration.ts'

export const licencePolicies: Migration = {
  name: '0015-licence-policies',
  statements: ({ text }) => [
    // License policies of organizations; no row means no policy. `rules` is a JSON array of `{license, verdict,
    // instructions?}`; a verdict is a severity or `none`.
    `create table licence_policies (
      org_id ${text} not null primary key references orgs (id) on delete cascade,
      rules ${text} not null,
      unlisted ${text} not null check (unlisted in ('none', 'low', 'medium', 'high', 'critical')),
      unknown ${text} not null check (unknown in ('none', 'low', 'medium', 'high', 'critical')),
      created_at bigint not null,
      updated_at bigint not null
    )`,
  ],
}
