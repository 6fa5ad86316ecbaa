import { type Selectable, sql } from 'kysely'
import { FOREVER } from '#analysis/findings/ignore-rules.ts'
import { toSeverity } from '#analysis/findings/known-issue.ts'
import {
  type Condition,
  compileConditions,
  indexPolicies,
  type Matcher,
  type PolicyIndex,
} from '#analysis/findings/policy-conditions.ts'
import type { Db } from '#foundation/db/database.ts'
import { prepared } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { RecentMap } from '#foundation/recent-map.ts'
import type { TestPolicies, TestPolicy } from '#scanning/reading/task.ts'

export type PolicyRow = Selectable<Tables['policies']>

/** A policy that is not deleted. */
export interface Policy extends Matcher {
  readonly number: number
  readonly row: PolicyRow
  /** Expiry in epoch milliseconds, or `FOREVER`. */
  readonly until: number
}

/** The policies that apply to an organization, its own and those of its group: an index of those that hide issues. */
export interface PolicySet extends PolicyIndex<Policy> {
  /** Identifies the set: it changes with each of the policies. */
  readonly revision: string
  /** Policies that change severities. Of several matches the first decides: the organization's newest, then the group's. */
  readonly changing: PolicyIndex<Policy>
}

const NO_POLICIES: PolicySet = toSet('', [])
/** Total length of the conditions of cached sets. */
const MAX_CACHED = 32_000_000

const sets = new RecentMap<PolicySet>({ maxWeight: MAX_CACHED })

/** The newest policy tells equal revisions of two databases apart, as after a restored backup. */
const revisionsOf = prepared((db: Db, { orgId, groupId }: { orgId: string; groupId: string }) =>
  db
    .selectFrom('policy_owners as o')
    .select(['o.owner_id', 'o.revision'])
    .select((eb) =>
      eb
        .selectFrom('policies as p')
        .select('p.id')
        .whereRef('p.owner_id', '=', 'o.owner_id')
        .orderBy('p.created_at', 'desc')
        .orderBy('p.id', 'desc')
        .limit(sql.lit(1))
        .as('newest'),
    )
    .where((eb) => eb.or([eb('o.owner_id', '=', orgId), eb('o.owner_id', '=', groupId)]))
    .orderBy('o.owner_id'),
)

/** Returns the policies of an organization, compiled once per revision. */
export async function findPolicySet(db: Db, org: { orgId: string; groupId: string }): Promise<PolicySet> {
  const revisions = await revisionsOf(db, org)
  if (revisions.length === 0) return NO_POLICIES
  const key = [org.orgId, ...revisions.flatMap(({ owner_id, revision, newest }) => [owner_id, revision, newest])].join(
    ' ',
  )
  const cached = sets.get(key)
  if (cached) return cached
  const rows = await db
    .selectFrom('policies')
    .selectAll()
    .where('owner_id', 'in', [org.orgId, org.groupId])
    .where('deleted_at', 'is', null)
    .orderBy('number')
    .execute()
  const set = rows.length === 0 ? NO_POLICIES : toSet(key, rows.map(toPolicy))
  const weight = rows.reduce((sum, { conditions }) => sum + conditions.length, 1)
  sets.set(key, set, weight)
  return set
}

function toSet(revision: string, policies: readonly Policy[]): PolicySet {
  const changing = policies.filter(({ row }) => row.severity !== null)
  const rank = ({ row }: Policy) => (row.org_id === null ? 1 : 0)
  changing.sort((a, b) => rank(a) - rank(b) || b.number - a.number)
  const hiding = policies.filter(({ row }) => row.severity === null)
  return { revision, ...indexPolicies(hiding), changing: indexPolicies(changing) }
}

export function toPolicy(row: PolicyRow): Policy {
  return {
    number: Number(row.number),
    row,
    until: row.expires_at === null ? FOREVER : Number(row.expires_at),
    ...compileConditions(JSON.parse(row.conditions) as Condition[]),
  }
}

export async function hasPolicies(db: Db): Promise<boolean> {
  const row = await db.selectFrom('policy_owners').select('owner_id').limit(sql.lit(1)).executeTakeFirst()
  return row !== undefined
}

/** The policies of sets as tests take them, by their number: some may have expired. */
const written = new WeakMap<PolicySet, TestPolicies & { readonly count: number }>()

/** Returns the policies for tests of an organization that store no project: those without conditions on projects. */
export async function findTestPolicies(
  db: Db,
  org: { orgId: string; groupId: string },
  now: number,
): Promise<TestPolicies | undefined> {
  const set = await findPolicySet(db, org)
  const all = [...set.policies, ...set.changing.policies]
  const active = all.filter(({ testsProject, until }) => !testsProject && until > now)
  const count = active.length
  if (count === 0) return undefined
  const cached = written.get(set)
  if (cached?.count === count) return cached
  const passed = active.map(
    ({ row: { id, name, reason, expires_at, conditions, severity } }): TestPolicy => ({
      id,
      name,
      reason,
      expiresAt: expires_at === null ? null : Number(expires_at),
      conditions,
      severity: severity === null ? null : toSeverity(Number(severity)),
    }),
  )
  const policies = { revision: `${set.revision} ${count}`, policies: JSON.stringify(passed), count }
  written.set(set, policies)
  return policies
}
