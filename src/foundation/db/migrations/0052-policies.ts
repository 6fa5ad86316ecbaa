import type { Migration } from '../migration.ts'

export const policies: Migration = {
  name: '0052-policies',
  statements: ({ text, counter, keyed }) => [
    // Rules of an organization or a group: `owner_id` is its id. `conditions` is JSON. A deleted policy is kept for a
    // while; `changed_revision` is the owner's revision of its last change, and `evaluated` the number of projects that
    // were evaluated for it.
    `create table policies (
      number ${counter},
      id ${text} not null unique,
      owner_id ${text} not null,
      group_id ${text} not null references groups (id) on delete cascade,
      org_id ${text} references orgs (id) on delete cascade,
      name ${text} not null,
      reason ${text} not null,
      reason_type ${text} not null,
      expires_at bigint,
      conditions ${text} not null,
      source ${text} not null,
      document ${text},
      statement ${text},
      created_by_id ${text} not null,
      created_by_name ${text} not null,
      created_at bigint not null,
      updated_at bigint not null,
      deleted_at bigint,
      changed_revision bigint not null,
      evaluated bigint not null,
      is_canceled integer not null
    )`,
    'create index policies_by_owner on policies (owner_id, created_at, id)',
    'create index policies_by_group on policies (group_id)',
    'create index policies_by_org on policies (org_id)',
    'create index policies_by_document on policies (owner_id, document, statement)',
    // Counts changes of an owner's policies; `evaluated_revision` is the last one reflected in all projects, and
    // `running_revision` the one whose evaluation runs, with its progress.
    `create table policy_owners (
      owner_id ${text} not null primary key,
      group_id ${text} not null references groups (id) on delete cascade,
      org_id ${text} references orgs (id) on delete cascade,
      revision bigint not null,
      evaluated_revision bigint not null default 0,
      running_revision bigint not null default 0,
      after_project bigint not null default 0,
      done bigint not null default 0,
      total bigint not null default 0
    )`,
    'create index policy_owners_by_group on policy_owners (group_id)',
    'create index policy_owners_by_org on policy_owners (org_id)',
    'create index policy_owners_to_evaluate on policy_owners (owner_id) where evaluated_revision < revision',
    // Issues of projects that a policy hides.
    `create table policy_effects (
      project_number bigint not null references projects (number) on delete cascade,
      issue_id ${text} not null,
      policy_number bigint not null references policies (number) on delete cascade,
      primary key (project_number, issue_id, policy_number)
    )${keyed}`,
    'create index policy_effects_by_policy on policy_effects (policy_number, project_number)',
    // Issues of packages that newer advisories changed, until policies were evaluated for the package's projects.
    `create table unevaluated_issues (
      package_number bigint not null references packages (number) on delete cascade,
      issue_id ${text} not null,
      after_org bigint not null default 0,
      after_project bigint not null default 0,
      primary key (package_number, issue_id)
    )`,
    // `ignored_until` is the later of the ends by the project's own ignores (null: `ignored_until`) and by policies
    // (null: none).
    'alter table ignored_issues add column own_until bigint',
    'alter table ignored_issues add column policy_until bigint',
  ],
}
