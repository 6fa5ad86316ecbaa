import { recordAudit } from '#foundation/audit/record.ts'
import type { AccountChange } from './change.ts'
import { lockAccount, renameAccount, type ServiceAccountRow } from './store.ts'

export async function changeName(
  change: AccountChange,
  { id, name }: { id: string; name: string },
): Promise<ServiceAccountRow> {
  const account = await lockAccount(change.tx, change.owner, { id, at: change.at })
  if (account.name === name) return account
  await renameAccount(change.tx, id, name)
  await recordAudit(change, account, {
    action: 'service_account.edit',
    before: { name: account.name },
    after: { name },
  })
  return { ...account, name }
}
