import { type Selectable, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { toParts } from '../storage/packages-store.ts'
import { hasPolicies } from './policies-store.ts'

export type UnevaluatedRow = Selectable<Tables['unevaluated_issues']>

type Key = Pick<UnevaluatedRow, 'package_number' | 'issue_id'>

/** Marks changed issues of packages for the evaluation of policies. Requires the lock on known issues. */
export async function noteUnevaluated(tx: Db, changed: readonly Key[]): Promise<void> {
  if (changed.length === 0 || !(await hasPolicies(tx))) return
  const keys = changed.map((key) => ({ ...key, after_org: 0, after_project: 0 }))
  for (const part of toParts(keys)) {
    await tx
      .insertInto('unevaluated_issues')
      .values([...new Set(part)])
      .onConflict((conflict) =>
        conflict.columns(['package_number', 'issue_id']).doUpdateSet({ after_org: 0, after_project: 0 }),
      )
      .execute()
  }
}

export async function findUnevaluated(db: Db): Promise<UnevaluatedRow | undefined> {
  return db
    .selectFrom('unevaluated_issues')
    .selectAll()
    .orderBy('package_number')
    .orderBy('issue_id')
    .limit(sql.lit(1))
    .executeTakeFirst()
}

/** Returns the next organization with the package, from the one that was begun on. */
export async function findNextOrg(
  db: Db,
  { package_number, after_org }: UnevaluatedRow,
): Promise<{ orgNumber: number; orgId: string; groupId: string } | undefined> {
  const row = await db
    .selectFrom('project_packages as pp')
    .innerJoin('org_numbers as n', 'n.number', 'pp.org_number')
    .innerJoin('orgs as o', 'o.id', 'n.org_id')
    .select(['n.number as orgNumber', 'o.id as orgId', 'o.group_id as groupId'])
    .where('pp.package_number', '=', package_number)
    .where('pp.org_number', '>=', after_org)
    .orderBy('pp.org_number')
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row && { ...row, orgNumber: Number(row.orgNumber) }
}

/** Returns true if a policy hides the issue in a project of the organization. */
export async function isHiddenInOrg(db: Db, orgNumber: number, issueId: string): Promise<boolean> {
  const row = await db
    .selectFrom('ignored_issues as i')
    .innerJoin('projects as p', 'p.number', 'i.project_number')
    .innerJoin('org_numbers as n', 'n.org_id', 'p.org_id')
    .select('i.issue_id')
    .where('i.issue_id', '=', issueId)
    .where('i.policy_until', '>', 0)
    .where('n.number', '=', orgNumber)
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row !== undefined
}

export async function findPackageIssue(db: Db, { package_number, issue_id }: Key) {
  return db
    .selectFrom('package_issues as pi')
    .innerJoin('packages as k', 'k.number', 'pi.package_number')
    .select(['k.registry', 'k.name', 'k.version', 'pi.severity', 'pi.facts'])
    .where('pi.package_number', '=', package_number)
    .where('pi.issue_id', '=', issue_id)
    .executeTakeFirst()
}
