import type { LicensePolicy } from '#analysis/licenses/judge-license.ts'
import type { Org } from '#foundation/access/caller.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import { toAttributes } from './resource.ts'
import { lockPolicy, type StoredPolicy, savePolicy } from './store.ts'

export const ALLOW_ALL: LicensePolicy = { rules: [], unlisted: 'none', unknown: 'none' }

export async function changePolicy(
  change: Change,
  { id: orgId, groupId }: Org,
  changed: Partial<LicensePolicy>,
): Promise<Omit<StoredPolicy, 'revision'>> {
  const { tx, at } = change
  const before = (await lockPolicy(tx, orgId, { first: ALLOW_ALL, at })) ?? ALLOW_ALL
  const policy = { rules: before.rules, unlisted: before.unlisted, unknown: before.unknown, ...changed }
  await savePolicy(tx, orgId, { policy, at })
  await recordAudit(
    change,
    { id: orgId, org: { id: orgId, groupId } },
    {
      action: 'license_policy.update',
      before: toAttributes(before),
      after: toAttributes(policy),
    },
  )
  return { ...policy, updatedAt: at }
}
