import type { Migration } from '../migration.ts'

export const projectNames: Migration = {
  name: '0048-project-names',
  statements: ({ text, keyed }) => [
    // The name from each of its characters on, in lower case, cut to a fixed length: a search is a key range. A row may
    // outlive its project or an earlier name of it, so readers compare the name itself.
    `create table project_name_parts (
      org_number bigint not null references org_numbers (number) on delete cascade,
      part ${text} not null,
      project_number bigint not null,
      primary key (org_number, part, project_number)
    )${keyed}`,
    // The name and organization under which the parts of a project are stored; null before the first time.
    `alter table projects add column indexed_name ${text}`,
    `alter table projects add column indexed_org_id ${text}`,
    `create index projects_by_unindexed_name on projects (org_id, number)
      where indexed_name is null or indexed_name <> name or indexed_org_id <> org_id`,
  ],
}
