import type { Migration } from '../../migration.ts'

export const projects: Migration = {
  name: '0017-projects',
  statements: ({ text, bytes, counter, keyed }) => [
    // Targets: the origin of projects, a repository or a name given by a client that monitors. Two imports with the
    // same `source_key` mean the same target.
    `create table targets (
      id ${text} not null primary key,
      org_id ${text} not null references orgs (id) on delete cascade,
      integration_id ${text} references integrations (id) on delete set null,
      origin ${text} not null,
      source_key ${text} not null,
      display_name ${text} not null,
      url ${text},
      is_private integer not null,
      created_at bigint not null
    )`,
    'create unique index targets_by_source on targets (org_id, source_key)',
    'create index targets_by_org on targets (org_id, created_at, id)',
    'create index targets_by_integration on targets (integration_id)',
    // One manifest of a target at one reference. `number` is its short key in tables with millions of rows. Two tests
    // with the same `place_key` (type, file, reference) mean the same project. `licences` is JSON: package names per
    // SPDX expression (`""`: unknown; expressions of several versions are joined by line breaks). `failure` is the
    // error of the last failed test. `is_complete` is true if the last test left nothing out. `monitored_at` is when a
    // client last sent it.
    `create table projects (
      number ${counter},
      id ${text} not null unique,
      org_id ${text} not null references orgs (id) on delete cascade,
      target_id ${text} not null references targets (id) on delete cascade,
      place_key ${text} not null,
      name ${text} not null,
      origin ${text} not null,
      type ${text} not null,
      target_file ${text},
      target_reference ${text},
      status ${text} not null check (status in ('active', 'inactive')),
      test_frequency ${text} not null check (test_frequency in ('daily', 'weekly', 'never')),
      owner_id ${text} references users (id) on delete set null,
      importer_id ${text},
      importer_name ${text} not null,
      business_criticality ${text} not null,
      environment ${text} not null,
      lifecycle ${text} not null,
      tags ${text} not null,
      total_dependencies integer not null,
      licences ${text} not null,
      content_digest ${text},
      failure ${text},
      is_complete integer,
      created_at bigint not null,
      updated_at bigint not null,
      tested_at bigint,
      monitored_at bigint,
      next_test_at bigint
    )`,
    'create unique index projects_by_place on projects (target_id, place_key)',
    'create index projects_by_org on projects (org_id, created_at, id)',
    'create index projects_by_name on projects (org_id, name, id)',
    'create index projects_by_next_test on projects (org_id, next_test_at)',
    'create index projects_by_owner on projects (owner_id)',
    // Findings of a project's last test other than advisories: compressed JSON. `source` is its input, for retests.
    `create table project_states (
      project_number bigint not null primary key references projects (number) on delete cascade,
      test_id ${text} not null,
      graph ${bytes} not null,
      advice ${bytes} not null,
      coverage ${text} not null,
      source ${bytes}
    )`,
    // Short keys of organizations, for tables with millions of rows.
    `create table org_numbers (
      number ${counter},
      org_id ${text} not null unique references orgs (id) on delete cascade
    )`,
    // Each package version in any project, once; `name` is the lookup name of advisories. `variant` is JSON of other
    // names for advisories (a commit, aliases); usually empty.
    `create table packages (
      number ${counter},
      registry ${text} not null,
      name ${text} not null,
      version ${text} not null,
      variant ${text} not null
    )`,
    'create unique index packages_by_name on packages (registry, name, version, variant)',
    // The other names; few packages have any.
    `create table package_names (
      registry ${text} not null,
      name ${text} not null,
      package_number bigint not null references packages (number) on delete cascade,
      primary key (registry, name, package_number)
    )${keyed}`,
    'create index package_names_by_package on package_names (package_number)',
    // Rows of a deleted project are purged in small steps: a project may have tens of thousands.
    `create table project_packages (
      project_number bigint not null,
      package_number bigint not null references packages (number),
      org_number bigint not null,
      primary key (project_number, package_number)
    )${keyed}`,
    // The inverted index: from a package to its projects, grouped by organization.
    'create index project_packages_by_package on project_packages (package_number, org_number, project_number)',
    // Known issues per package, independent of projects: a new advisory changes one row per affected version.
    // `severity` is 1 (low) to 4 (critical); `facts` is JSON for lists and filters.
    `create table package_issues (
      package_number bigint not null references packages (number) on delete cascade,
      issue_id ${text} not null,
      severity integer not null check (severity between 1 and 4),
      title ${text} not null,
      facts ${text} not null,
      primary key (package_number, issue_id)
    )`,
    'create index package_issues_by_issue on package_issues (issue_id, package_number)',
    // The same per organization, in the order of its issue list: one row per issue present in any of its projects, with
    // the time of first sight. Stale rows may remain for a while.
    `create table org_issues (
      org_number bigint not null references org_numbers (number) on delete cascade,
      package_number bigint not null references packages (number) on delete cascade,
      issue_id ${text} not null,
      severity integer not null,
      known_since bigint not null,
      primary key (org_number, package_number, issue_id)
    )${keyed}`,
    'create index org_issues_by_severity on org_issues (org_number, severity, issue_id, package_number)',
    'create index org_issues_by_age on org_issues (org_number, known_since, issue_id, package_number)',
    'create index org_issues_by_package on org_issues (package_number)',
    // The advisories that `package_issues` reflects, and those that a rewrite is moving to; one row.
    `create table matched_advisories (
      id ${text} not null primary key check (id = 'current'),
      digest ${text} not null,
      next_digest ${text},
      matched_at bigint not null
    )`,
    // New issues for an organization's projects, until announced and processed: `packages` is JSON, `after_project` the
    // last processed project.
    `create table unannounced_issues (
      org_number bigint not null references org_numbers (number) on delete cascade,
      issue_id ${text} not null,
      packages ${text} not null,
      after_project bigint not null,
      known_since bigint not null,
      primary key (org_number, issue_id, known_since)
    )`,
    // Issues added to or removed from packages, until all their ignores were judged again.
    `create table unjudged_issues (
      issue_id ${text} not null primary key,
      after_project bigint not null
    )`,
    // Packages that were added during a rewrite of `package_issues`, or by a process with other advisories.
    `create table unmatched_packages (
      package_number bigint not null primary key references packages (number) on delete cascade
    )`,
    // Findings of each test, for the history.
    `create table project_tests (
      id ${text} not null primary key,
      project_number bigint not null references projects (number) on delete cascade,
      tested_at bigint not null,
      cause ${text} not null,
      counts ${text} not null,
      total_dependencies integer not null,
      revision ${text}
    )`,
    'create index project_tests_by_project on project_tests (project_number, tested_at, id)',
    // `path` is `*` for all paths, else the packages from the direct dependency down, joined by " > ". `org_id` is the
    // project's. From the last judgment: `known_as` is the project's id of the issue (`issue_id` may be an alias),
    // `effect` the ignore's effect while it lasts.
    `create table ignores (
      id ${text} not null primary key,
      project_number bigint not null references projects (number) on delete cascade,
      org_id ${text} not null references orgs (id) on delete cascade,
      issue_id ${text} not null,
      path ${text} not null,
      reason ${text} not null,
      reason_type ${text} not null,
      disregard_if_fixable integer not null,
      expires_at bigint,
      known_as ${text} not null,
      effect ${text} not null check (effect in ('applies', 'issue-gone', 'path-gone', 'fixable')),
      ignored_by_id ${text} not null,
      ignored_by_name ${text} not null,
      ignored_by_email ${text} not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    'create unique index ignores_by_path on ignores (project_number, issue_id, path)',
    'create index ignores_by_org on ignores (org_id, created_at, id)',
    'create index ignores_by_issue on ignores (issue_id)',
    'create index ignores_by_known_as on ignores (known_as)',
    // Issues of a project whose paths are all ignored, and until when: derived from its ignores and its graph whenever
    // either changes. An end of `Number.MAX_SAFE_INTEGER` means never.
    `create table ignored_issues (
      project_number bigint not null references projects (number) on delete cascade,
      issue_id ${text} not null,
      ignored_until bigint not null,
      primary key (project_number, issue_id)
    )`,
    'create index ignored_issues_by_issue on ignored_issues (issue_id, project_number)',
  ],
}
