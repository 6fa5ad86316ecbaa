import type { PolicySetting } from '#analysis/discovery/policy-files/policy-file.ts'
import type { Db } from '#foundation/db/database.ts'
import { prepared } from '#foundation/db/prepared.ts'

const settingOfOrg = prepared((db: Db, { orgId }: { orgId: string }) =>
  db.selectFrom('orgs').select('policy_files').where('id', '=', orgId),
)

export async function findPolicySetting(db: Db, orgId: string): Promise<PolicySetting> {
  const [row] = await settingOfOrg(db, { orgId })
  return (row?.policy_files ?? 'allow') as PolicySetting
}

export async function savePolicySetting(
  tx: Db,
  orgId: string,
  { setting, at }: { setting: PolicySetting; at: number },
): Promise<void> {
  await tx.updateTable('orgs').set({ policy_files: setting, updated_at: at }).where('id', '=', orgId).execute()
}
