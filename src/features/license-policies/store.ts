import type { Selectable } from 'kysely'
import type { LicensePolicy, LicenseRule, LicenseVerdict } from '#analysis/licenses/judge-license.ts'
import type { Db } from '#foundation/db/database.ts'
import { prepared } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

type PolicyRow = Selectable<Tables['license_policies']>

export interface StoredPolicy extends LicensePolicy {
  readonly updatedAt: number
  /** Incremented by every change, from 1. */
  readonly revision: number
}

const policyOfOrg = prepared((db: Db, { orgId }: { orgId: string }) =>
  db.selectFrom('license_policies').selectAll().where('org_id', '=', orgId),
)

export async function findPolicy(db: Db, orgId: string): Promise<StoredPolicy | undefined> {
  const [row] = await policyOfOrg(db, { orgId })
  return row && toPolicy(row)
}

/** Locks the policy for a change. If the organization has none yet, inserts `first` and returns undefined. */
export async function lockPolicy(
  tx: Db,
  orgId: string,
  { first, at }: { first: LicensePolicy; at: number },
): Promise<StoredPolicy | undefined> {
  const inserted = await tx
    .insertInto('license_policies')
    .values({ org_id: orgId, ...toColumns(first), created_at: at, updated_at: at, revision: 1, counted_revision: 0 })
    .onConflict((conflict) => conflict.column('org_id').doNothing())
    .returning('org_id')
    .executeTakeFirst()
  if (inserted) return undefined
  return toPolicy(
    await tx
      .updateTable('license_policies')
      .set({ updated_at: at })
      .where('org_id', '=', orgId)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

export async function savePolicy(
  tx: Db,
  orgId: string,
  { policy, at }: { policy: LicensePolicy; at: number },
): Promise<void> {
  await tx
    .updateTable('license_policies')
    .set(({ eb }) => ({ ...toColumns(policy), updated_at: at, revision: eb('revision', '+', 1) }))
    .where('org_id', '=', orgId)
    .execute()
}

function toColumns({ rules, unlisted, unknown }: LicensePolicy) {
  return { rules: JSON.stringify(rules), unlisted, unknown }
}

function toPolicy({ rules, unlisted, unknown, updated_at, revision }: PolicyRow): StoredPolicy {
  return {
    rules: JSON.parse(rules) as LicenseRule[],
    unlisted: unlisted as LicenseVerdict,
    unknown: unknown as LicenseVerdict,
    updatedAt: updated_at,
    revision,
  }
}
