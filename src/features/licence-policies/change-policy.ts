import type { LicencePolicy } from '#analysis/licences/judge-licence.ts'
import type { Actor, Org } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { toAttributes } from './resource.ts'
import { holdPolicy, type StoredPolicy, savePolicy } from './store.ts'

/** What holds for an organisation that never said what it thinks: everything is allowed. */
export const ALLOW_ALL: LicencePolicy = { rules: [], unlisted: 'none', unknown: 'none' }

interface Change {
  readonly tx: Db
  readonly actor: Actor
  readonly at: number
}

export async function changePolicy(
  { tx, actor, at }: Change,
  { id: orgId, groupId }: Org,
  changed: Partial<LicencePolicy>,
): Promise<Omit<StoredPolicy, 'revision'>> {
  const before = (await holdPolicy(tx, orgId, { first: ALLOW_ALL, at })) ?? ALLOW_ALL
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
