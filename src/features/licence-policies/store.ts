import type { Selectable } from 'kysely'
import type { LicencePolicy, LicenceRule, LicenceVerdict } from '#analysis/licences/judge-licence.ts'
import type { Db } from '#foundation/db/database.ts'
import { prepared } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

type PolicyRow = Selectable<Tables['licence_policies']>

export interface StoredPolicy extends LicencePolicy {
  readonly updatedAt: number
  /** Grows with every change, from 1. */
  readonly revision: number
}

const policyOfOrg = prepared((db: Db, { orgId }: { orgId: string }) =>
  db.selectFrom('licence_policies').selectAll().where('org_id', '=', orgId),
)

export async function findPolicy(db: Db, orgId: string): Promise<StoredPolicy | undefined> {
  const [row] = await policyOfOrg(db, { orgId })
  return row && toPolicy(row)
}

/** Holds the policy for a change; an organisation that never had one gets `first`, and undefined. */
export async function holdPolicy(
  tx: Db,
  orgId: string,
  { first, at }: { first: LicencePolicy; at: number },
): Promise<StoredPolicy | undefined> {
  const inserted = await tx
    .insertInto('licence_policies')
    .values({ org_id: orgId, ...toColumns(first), created_at: at, updated_at: at, revision: 1, counted_revision: 0 })
    .onConflict((conflict) => conflict.column('org_id').doNothing())
    .returning('org_id')
    .executeTakeFirst()
  if (inserted) return undefined
  return toPolicy(
    await tx
      .updateTable('licence_policies')
      .set({ updated_at: at })
      .where('org_id', '=', orgId)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

export async function savePolicy(
  tx: Db,
  orgId: string,
  { policy, at }: { policy: LicencePolicy; at: number },
): Promise<void> {
  await tx
    .updateTable('licence_policies')
    .set(({ eb }) => ({ ...toColumns(policy), updated_at: at, revision: eb('revision', '+', 1) }))
    .where('org_id', '=', orgId)
    .execute()
}

function toColumns({ rules, unlisted, unknown }: LicencePolicy) {
  return { rules: JSON.stringify(rules), unlisted, unknown }
}

function toPolicy({ rules, unlisted, unknown, updated_at, revision }: PolicyRow): StoredPolicy {
  return {
    rules: JSON.parse(rules) as LicenceRule[],
    unlisted: unlisted as LicenceVerdict,
    unknown: unknown as LicenceVerdict,
    updatedAt: updated_at,
    revision,
  }
}
