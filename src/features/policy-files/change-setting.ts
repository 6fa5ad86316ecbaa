import type { PolicySetting } from '#analysis/discovery/policy-files/policy-file.ts'
import type { Actor, Org } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { findPolicySetting, savePolicySetting } from './setting-store.ts'

/** Changes an organization's setting for policy files; returns true if it was different before. */
export async function changePolicySetting(
  { tx, actor, at }: { tx: Db; actor: Actor; at: number },
  org: Org,
  setting: PolicySetting,
): Promise<boolean> {
  const before = await findPolicySetting(tx, org.id)
  if (before === setting) return false
  await savePolicySetting(tx, org.id, { setting, at })
  await recordAudit(tx, actor, {
    at,
    action: 'org.update',
    groupId: org.groupId,
    orgId: org.id,
    target: { kind: 'org', id: org.id },
    before: { policy_files: before },
    after: { policy_files: setting },
  })
  return true
}
