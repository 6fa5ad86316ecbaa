import { changeClientSecrets, refuseSecrets } from '#features/credentials/client-secrets.ts'
import type { SecretsAttributes } from '#features/credentials/secrets-request.ts'
import { requireHeld } from '#features/roles/assignable-role.ts'
import { findRole, permissionsOf } from '#features/roles/store.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Services } from '#foundation/services.ts'
import { type AccountChange, programOf } from './change.ts'
import type { Shown } from './resource.ts'
import { lockAccount, type ServiceAccountRow } from './store.ts'

export async function changeSecrets(
  needs: Pick<Services, 'keyring' | 'now'>,
  change: AccountChange,
  { id, ...attributes }: { id: string } & SecretsAttributes,
): Promise<{ account: ServiceAccountRow; shown: Shown }> {
  const account = await lockAccount(change.tx, change.owner, { id, at: change.at })
  const secrets = { ...change, owner: programOf(account), noun: 'account' }
  if (account.auth_type !== 'oauth_client_secret') {
    const detail = `Only oauth_client_secret accounts have client secrets; this one is ${account.auth_type}`
    throw refuseSecrets(secrets, 'mode', detail)
  }
  if (attributes.mode !== 'delete') await requireMayHold(change, account)
  const { secret, ...states } = await changeClientSecrets(needs, secrets, attributes)
  await recordAudit(change, account, { action: `service_account.secret.${attributes.mode}`, ...states })
  return { account, shown: secret === undefined ? {} : { client_secret: secret } }
}

/** Requires the permissions of the account's role, which a holder of its secret could use. */
async function requireMayHold({ tx, owner, permissions }: AccountChange, account: ServiceAccountRow): Promise<void> {
  const role = await findRole(tx, owner.groupId, account.role_id)
  if (role) requireHeld(permissions, permissionsOf(role))
}
