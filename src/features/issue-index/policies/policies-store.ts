import { type Selectable, sql } from 'kysely'
import { FOREVER } from '#analysis/findings/ignore-rules.ts'
import type { Db } from '#foundation/db/database.ts'
import { prepared } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { RecentMap } from '#foundation/recent-map.ts'
import { type Condition, compileConditions, idsOf, type Matcher, type PackageIssue } from './conditions.ts'

export type PolicyRow = Selectable<Tables['policies']>

/** A policy that is not deleted. */
export interface Policy extends Matcher {
  readonly number: number
  /** Expiry in epoch milliseconds, or `FOREVER`. */
  readonly until: number
}

/** The policies that apply to an organization: its own and those of its group. */
export interface PolicySet {
  readonly policies: readonly Policy[]
  /** Returns the policies whose conditions on packages and issues hold, whatever the project and its paths. */
  matching(issue: PackageIssue): readonly Policy[]
}

const NO_POLICIES: PolicySet = { policies: [], matching: () => [] }
/** Total length of the conditions of cached sets. */
const MAX_CACHED = 32_000_000

const sets = new RecentMap<PolicySet>({ maxWeight: MAX_CACHED })

const revisionsOf = prepared((db: Db, { orgId, groupId }: { orgId: string; groupId: string }) =>
  db
    .selectFrom('policy_owners')
    .select(['owner_id', 'revision'])
    .where((eb) => eb.or([eb('owner_id', '=', orgId), eb('owner_id', '=', groupId)]))
    .orderBy('owner_id'),
)

/** Returns the policies of an organization, compiled once per revision. */
export async function findPolicySet(db: Db, org: { orgId: string; groupId: string }): Promise<PolicySet> {
  const revisions = await revisionsOf(db, org)
  if (revisions.length === 0) return NO_POLICIES
  const key = `${org.orgId} ${revisions.map(({ owner_id, revision }) => `${owner_id} ${revision}`).join(' ')}`
  const cached = sets.get(key)
  if (cached) return cached
  const rows = await db
    .selectFrom('policies')
    .selectAll()
    .where('owner_id', 'in', [org.orgId, org.groupId])
    .where('deleted_at', 'is', null)
    .orderBy('number')
    .execute()
  const set = rows.length === 0 ? NO_POLICIES : createSet(rows.map(toPolicy))
  const weight = rows.reduce((sum, { conditions }) => sum + conditions.length, 1)
  sets.set(key, set, weight)
  return set
}

export function toPolicy(row: Pick<PolicyRow, 'number' | 'expires_at' | 'conditions'>): Policy {
  return {
    number: Number(row.number),
    until: row.expires_at === null ? FOREVER : Number(row.expires_at),
    ...compileConditions(JSON.parse(row.conditions) as Condition[]),
  }
}

function createSet(policies: readonly Policy[]): PolicySet {
  const general = policies.filter(({ ids }) => ids === undefined)
  const byId = new Map<string, Policy[]>()
  for (const policy of policies) {
    for (const id of policy.ids ?? []) {
      const own = byId.get(id)
      if (own) own.push(policy)
      else byId.set(id, [policy])
    }
  }
  return {
    policies,
    matching(issue) {
      const ofIds = byId.size === 0 ? [] : idsOf(issue).flatMap((id) => byId.get(id.toLowerCase()) ?? [])
      return [...new Set([...general, ...ofIds])].filter((policy) => policy.matchesIssue(issue))
    },
  }
}

export async function hasPolicies(db: Db): Promise<boolean> {
  const row = await db.selectFrom('policy_owners').select('owner_id').limit(sql.lit(1)).executeTakeFirst()
  return row !== undefined
}
