import type { Migration } from '../../migration.ts'

export const policyFiles: Migration = {
  name: '0033-policy-files',
  statements: ({ text }) => [
    // Null for organizations that never decided: policy files apply.
    `alter table orgs add column policy_files ${text} check (policy_files in ('allow', 'require-reason', 'forbid'))`,
    // Ignores of a project's policy file are replaced with every test; users make and end the others.
    `alter table ignores add column source ${text} not null default 'user' check (source in ('user', 'repository'))`,
    'drop index ignores_by_path',
    'create unique index ignores_by_path on ignores (project_number, issue_id, path, source)',
    "create index ignores_of_repositories on ignores (org_id, project_number) where source = 'repository'",
  ],
}
