import { announceDeleted } from '#features/credentials/announce.ts'
import { deleteCredentials } from '#features/credentials/store.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import { type AccountChange, programOf, toAudited } from './change.ts'
import { deleteAccount, lockAccount } from './store.ts'

/** Deletes an account with its credentials and tokens, which are refused from the commit on. */
export async function removeAccount(change: AccountChange, id: string): Promise<void> {
  const account = await lockAccount(change.tx, change.owner, { id, at: change.at })
  await deleteAccount(change.tx, id)
  const ended = await deleteCredentials(change.tx, id)
  await recordAudit(change, account, { action: 'service_account.delete', before: toAudited(account) })
  await announceDeleted(change, programOf(account), ended)
}
