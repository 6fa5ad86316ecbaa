import type { PolicySetting } from '#analysis/discovery/policy-files/policy-file.ts'
import type { Org } from '#foundation/access/caller.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import { findPolicySetting, savePolicySetting } from './setting-store.ts'

/** Changes an organization's setting for policy files; returns true if it was different before. */
export async function changePolicySetting(change: Change, org: Org, setting: PolicySetting): Promise<boolean> {
  const { tx, at } = change
  const before = await findPolicySetting(tx, org.id)
  if (before === setting) return false
  await savePolicySetting(tx, org.id, { setting, at })
  await recordAudit(
    change,
    { id: org.id, org },
    { action: 'org.update', before: { policy_files: before }, after: { policy_files: setting } },
  )
  return true
}
