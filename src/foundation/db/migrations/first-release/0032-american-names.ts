import type { Migration } from '../../migration.ts'

export const americanNames: Migration = {
  name: '0032-american-names',
  statements: () => [
    'alter table licence_policies rename to license_policies',
    // The member that names the license opens each rule, so no text inside a rule can look like it.
    `update license_policies set rules = replace(rules, '{"licence":', '{"license":')`,
    'alter table projects rename column licences to licenses',
    `update settings set name = 'projects.license-policies-seen' where name = 'projects.licence-policies-seen'`,
  ],
}
