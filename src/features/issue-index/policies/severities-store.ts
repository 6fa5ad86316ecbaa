import { sql } from 'kysely'
import type { IssueFacts } from '#analysis/findings/known-issue.ts'
import type { Db } from '#foundation/db/database.ts'
import { prepared } from '#foundation/db/prepared.ts'
import { noteOrgIssues } from '../storage/known-issues-store.ts'
import { toParts } from '../storage/packages-store.ts'
import { findPolicySet } from './policies-store.ts'

const orgOfNumber = prepared((db: Db, { orgNumber }: { orgNumber: number }) =>
  db
    .selectFrom('org_numbers as n')
    .innerJoin('orgs as o', 'o.id', 'n.org_id')
    .select(['o.id as orgId', 'o.group_id as groupId'])
    .where('n.number', '=', orgNumber),
)

type IssueRow = Awaited<ReturnType<ReturnType<typeof issuesOf>['execute']>>[number]

/**
 * Sets the severities of an organization's issues of packages to those of its policies, or of the advisories. Returns the
 * issues that changed. Requires the lock on known issues, or the shared one for issues that the transaction has added.
 */
export async function setSeverities(tx: Db, orgNumber: number, packages: readonly number[]): Promise<IssueRow[]> {
  const [org] = await orgOfNumber(tx, { orgNumber })
  if (!org) return []
  const { changing } = await findPolicySet(tx, org)
  const changed: IssueRow[] = []
  for (const part of toParts(packages)) {
    const query = issuesOf(tx, orgNumber, part)
    const rows = changing.policies.length > 0 ? query : query.where('oi.policy_number', 'is not', null)
    for (const row of await rows.execute()) {
      const { issue_id: issueId, own_severity, facts, ...rest } = row
      const issue = { ...rest, issueId, severity: Number(own_severity), facts: JSON.parse(facts) as IssueFacts }
      const [policy] = changing.matching(issue)
      const severity = Number(policy?.row.severity ?? own_severity)
      const policy_number = policy?.number ?? null
      if (severity === Number(row.severity) && policy_number === toNumber(row.policy_number)) continue
      changed.push({ ...row, severity, policy_number })
    }
  }
  for (const own of Map.groupBy(changed, (row) => `${row.severity} ${row.policy_number}`).values()) {
    for (const part of toParts(own)) {
      const keys = part.map(({ package_number, issue_id }) => sql`(cast(${package_number} as bigint), ${issue_id})`)
      await tx
        .updateTable('org_issues')
        .set({ severity: own[0]!.severity, policy_number: own[0]!.policy_number })
        .where('org_number', '=', orgNumber)
        .where(sql<boolean>`(package_number, issue_id) in (values ${sql.join(keys)})`)
        .execute()
    }
  }
  return changed
}

/** Adds known issues to an organization's list, with the severities that its policies set. See `noteOrgIssues`. */
export async function noteRatedIssues(
  tx: Db,
  added: { readonly orgNumber: number; readonly packages: readonly number[]; readonly at: number },
): Promise<number[]> {
  const packages = await noteOrgIssues(tx, added)
  if (packages.length > 0) await setSeverities(tx, added.orgNumber, packages)
  return packages
}

function toNumber(number: number | null): number | null {
  return number === null ? null : Number(number)
}

function issuesOf(tx: Db, orgNumber: number, packages: readonly number[]) {
  return tx
    .selectFrom('org_issues as oi')
    .innerJoin('package_issues as pi', (join) =>
      join.onRef('pi.package_number', '=', 'oi.package_number').onRef('pi.issue_id', '=', 'oi.issue_id'),
    )
    .innerJoin('packages as k', 'k.number', 'oi.package_number')
    .select(['oi.package_number', 'oi.issue_id', 'oi.severity', 'oi.policy_number', 'pi.severity as own_severity'])
    .select(['pi.facts', 'k.registry', 'k.name', 'k.version'])
    .where('oi.org_number', '=', orgNumber)
    .where('oi.package_number', 'in', packages)
}

/** Lists the organizations with a policy that changes severities, their own or their group's. */
export async function listOrgsChangingSeverities(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('policies as p')
    .innerJoin('orgs as o', (join) =>
      join.on((eb) => eb.or([eb('o.id', '=', eb.ref('p.owner_id')), eb('o.group_id', '=', eb.ref('p.owner_id'))])),
    )
    .innerJoin('org_numbers as n', 'n.org_id', 'o.id')
    .select('n.number')
    .distinct()
    .where('p.severity', 'is not', null)
    .where('p.deleted_at', 'is', null)
    .orderBy('n.number')
    .execute()
  return rows.map(({ number }) => Number(number))
}

/** Lists the packages of an organization with issues whose severity a policy has set. */
export async function listPackagesChangedBy(db: Db, orgNumber: number, policyNumber: number): Promise<number[]> {
  const rows = await db
    .selectFrom('org_issues')
    .select('package_number')
    .distinct()
    .where('policy_number', '=', policyNumber)
    .where('org_number', '=', orgNumber)
    .execute()
  return rows.map(({ package_number }) => Number(package_number))
}

/** Returns the ids of the policies that set the severities of issues, by their numbers. */
export async function findPolicyIds(
  db: Db,
  issues: readonly { readonly policy_number: number | null }[],
): Promise<ReadonlyMap<number, string>> {
  const numbers = new Set(
    issues.flatMap(({ policy_number }) => (policy_number === null ? [] : [Number(policy_number)])),
  )
  if (numbers.size === 0) return new Map()
  const rows = await db
    .selectFrom('policies')
    .select(['number', 'id'])
    .where('number', 'in', [...numbers])
    .execute()
  return new Map(rows.map(({ number, id }) => [Number(number), id]))
}
