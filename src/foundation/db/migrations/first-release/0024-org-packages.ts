import type { Migration } from '../../migration.ts'

export const orgPackages: Migration = {
  name: '0024-org-packages',
  statements: ({ text, keyed }) => [
    // Packages of an organization's projects, in the order of its list; `severity` is that of the worst known issue, or
    // 0. Stale rows may remain for a while.
    `create table org_packages (
      org_number bigint not null references org_numbers (number) on delete cascade,
      package_number bigint not null references packages (number) on delete cascade,
      name ${text} not null,
      version ${text} not null,
      severity integer not null,
      primary key (org_number, package_number)
    )${keyed}`,
    `insert into org_packages (org_number, package_number, name, version, severity)
      select o.number, k.number, k.name, k.version,
        (select coalesce(max(pi.severity), 0) from package_issues pi where pi.package_number = k.number)
      from (select distinct org_number, package_number from project_packages) pp
      join org_numbers o on o.number = pp.org_number
      join packages k on k.number = pp.package_number`,
    'create index org_packages_by_name on org_packages (org_number, name, version, package_number)',
    'create index org_packages_by_severity on org_packages (org_number, severity, name, version, package_number)',
    'create index org_packages_by_package on org_packages (package_number)',
  ],
}
