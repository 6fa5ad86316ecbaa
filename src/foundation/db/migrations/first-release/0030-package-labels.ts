import type { Migration } from '../../migration.ts'

export const packageLabels: Migration = {
  name: '0030-package-labels',
  statements: ({ text }) => [
    // The first project's spelling of the name, and the last known license or null. Older rows have no spelling until a
    // background job reads one of their projects.
    `alter table org_packages add column spelling ${text}`,
    `alter table org_packages add column license ${text}`,
    'create index org_packages_unlabeled on org_packages (org_number, package_number) where spelling is null',
  ],
}
