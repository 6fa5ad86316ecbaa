import type { Migration } from '../../migration.ts'

export const imports: Migration = {
  name: '0018-imports',
  statements: ({ text }) => [
    // Imports of targets, requested or repeated. `target`, `files` and `exclusion_globs` are stored as requested.
    // `revision` is the source of all its manifests, `reference` the branch, both once known. `message` says why it
    // failed or is incomplete.
    `create table imports (
      id ${text} not null primary key,
      org_id ${text} not null references orgs (id) on delete cascade,
      integration_id ${text} not null references integrations (id) on delete cascade,
      target_id ${text} references targets (id) on delete set null,
      name ${text} not null,
      target ${text} not null,
      files ${text},
      exclusion_globs ${text},
      cause ${text} not null check (cause in ('request', 'schedule')),
      state ${text} not null check (state in ('pending', 'complete', 'failed', 'aborted')),
      requested_by_id ${text},
      requested_by_name ${text} not null,
      reference ${text},
      revision ${text},
      message ${text},
      is_truncated integer not null,
      created_at bigint not null,
      started_at bigint,
      listed_at bigint,
      ended_at bigint
    )`,
    'create index imports_by_org on imports (org_id, created_at, id)',
    'create index imports_by_integration on imports (integration_id, created_at, id)',
    'create index imports_by_target on imports (target_id, created_at, id)',
    'create index imports_by_end on imports (ended_at)',
    // Manifests of an import, each tested exactly once. `project_id` is known before the test if a manifest was
    // renamed.
    `create table import_manifests (
      import_id ${text} not null references imports (id) on delete cascade,
      path ${text} not null,
      type ${text} not null,
      state ${text} not null check (state in ('waiting', 'done', 'failed')),
      project_id ${text},
      message ${text},
      ended_at bigint,
      primary key (import_id, path, type)
    )`,
    'create index import_manifests_by_state on import_manifests (import_id, state, path, type)',
    // Projects that an import deactivated because their manifests were missing; reactivated when these return. Projects
    // deactivated by users stay so.
    `create table vanished_projects (
      project_id ${text} not null primary key references projects (id) on delete cascade,
      vanished_at bigint not null
    )`,
  ],
}
