import type { LicensePolicy } from '#analysis/licenses/judge-license.ts'
import type { Actor, Org } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { toAttributes } from './resource.ts'
import { lockPolicy, type StoredPolicy, savePolicy } from './store.ts'

/** The default policy, which allows everything. */
export const ALLOW_ALL: LicensePolicy = { rules: [], unlisted: 'none', unknown: 'none' }

interface Change {
  readonly tx: Db
  readonly actor: Actor
  readonly at: number
}

export async function changePolicy(
  { tx, actor, at }: Change,
  { id: orgId, groupId }: Org,
  changed: Partial<LicensePolicy>,
): Promise<Omit<StoredPolicy, 'revision'>> {
  const before = (await lockPolicy(tx, orgId, { first: ALLOW_ALL, at })) ?? ALLOW_ALL
  const policy = { rules: before.rules, unlisted: before.unlisted, unknown: before.unknown, ...changed }
  await savePolicy(tx, orgId, { policy, at })
  await recordAudit(tx, actor, {
    at,
    action: 'license_policy.update',
    groupId,
    orgId,
    target: { kind: 'license_policy', id: orgId },
    before: toAttributes(before),
    after: toAttributes(policy),
  })
  return { ...policy, updatedAt: at }
}
