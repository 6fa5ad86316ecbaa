import type { Migration } from '../../migration.ts'

export const issueSearch: Migration = {
  name: '0028-issue-search',
  statements: ({ text, keyed, bytes }) => [
    // Searchable ids of an issue, its own included, in lower case.
    `create table issue_aliases (
      alias ${text} not null,
      issue_id ${text} not null,
      primary key (alias, issue_id)
    )${keyed}`,
    'insert into issue_aliases (alias, issue_id) select distinct lower(issue_id), issue_id from package_issues',
    ...['cve', 'ghsa', 'otherIds'].map(
      (member) =>
        `insert into issue_aliases (alias, issue_id) select distinct lower(${bytes === 'bytea' ? `a.value collate "C"` : 'a.value'}), i.issue_id
          from package_issues i cross join ${
            bytes === 'bytea'
              ? `lateral jsonb_array_elements_text(cast(i.facts as jsonb) -> '${member}') as a (value)`
              : `json_each(i.facts, '$.${member}') a`
          } where true on conflict do nothing`,
    ),
    // Package names from each of their words on, in lower case: a prefix search is a key range.
    `create table package_name_parts (
      part ${text} not null,
      registry ${text} not null,
      name ${text} not null,
      primary key (part, registry, name)
    )${keyed}`,
    `insert into package_name_parts (part, registry, name)
      with recursive places (registry, name, place) as (
        select distinct registry, name, 1 from packages
        union all
        select registry, name, place + 1 from places where place < length(name) and place < 500
      )
      select distinct lower(substr(name, place, 200)), registry, name from places
      where place = 1 or substr(name, place - 1, 1) in ('/', '.', '-', '_', ':', '@')
        and substr(name, place, 1) not in ('/', '.', '-', '_', ':', '@')`,
    // Number of the organization's projects with the package; deleted ones count until they are purged.
    'alter table org_packages add column projects bigint not null default 0',
    `update org_packages set projects = (
      select count(*) from project_packages pp
      where pp.package_number = org_packages.package_number and pp.org_number = org_packages.org_number
    )`,
    'create index org_packages_by_projects on org_packages (org_number, projects, name, version, package_number)',
  ],
}
