import type { Migration } from '../migration.ts'

export const severityPolicies: Migration = {
  name: '0054-severity-policies',
  statements: () => [
    // The severity from 1 (low) to 4 (critical) that a policy sets; null for one that hides issues.
    'alter table policies add column severity integer',
    'create index policies_of_severity on policies (owner_id) where severity is not null',
    // The policy that decides `severity`; null for the severity by the advisory.
    'alter table org_issues add column policy_number bigint',
    `create index org_issues_by_policy on org_issues (policy_number, org_number, package_number)
      where policy_number is not null`,
  ],
}
