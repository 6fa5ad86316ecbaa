import type { Migration } from '../../migration.ts'

export const upgrades: Migration = {
  name: '0038-upgrades',
  statements: ({ text, counter, keyed }) => [
    // Advised upgrades of a project's last test, with the number of open issues that each fixes.
    `create table project_upgrades (
      project_number bigint not null references projects (number) on delete cascade,
      registry ${text} not null,
      package ${text} not null,
      from_version ${text} not null,
      to_version ${text} not null,
      fixes integer not null,
      critical integer not null,
      primary key (project_number, registry, package, from_version, to_version)
    )${keyed}`,
    // Their sums per organization, without the changes that still have to be added.
    `create table org_upgrades (
      org_id ${text} not null references orgs (id) on delete cascade,
      registry ${text} not null,
      package ${text} not null,
      from_version ${text} not null,
      to_version ${text} not null,
      fixes bigint not null,
      critical bigint not null,
      projects bigint not null,
      primary key (org_id, registry, package, from_version, to_version)
    )`,
    'create index org_upgrades_by_fixes on org_upgrades (org_id, fixes, critical)',
    // Changes to add: transactions only insert here, so they never wait for each other.
    `create table upgrade_changes (
      id ${counter},
      org_id ${text} not null references orgs (id) on delete cascade,
      registry ${text} not null,
      package ${text} not null,
      from_version ${text} not null,
      to_version ${text} not null,
      fixes bigint not null,
      critical bigint not null,
      projects bigint not null
    )`,
    'create index upgrade_changes_by_org on upgrade_changes (org_id)',
  ],
}
