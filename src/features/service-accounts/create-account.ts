import { randomUUID } from 'node:crypto'
import { announceCreated } from '#features/credentials/announce.ts'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import type { CredentialRow } from '#features/credentials/store.ts'
import { getAssignableRole, requireHeld } from '#features/roles/assignable-role.ts'
import { permissionsOf } from '#features/roles/store.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Services } from '#foundation/services.ts'
import { type AccountChange, programOf, toAudited } from './change.ts'
import type { AccountInput } from './parse-attributes.ts'
import type { Shown } from './resource.ts'
import { getAccount, insertAccount, type ServiceAccountRow } from './store.ts'

/** Creates an account with its membership and, unless it authenticates with its own keys, its first credential. */
export async function createAccount(
  services: Pick<Services, 'keyring' | 'now'>,
  change: AccountChange,
  input: AccountInput,
): Promise<{ account: ServiceAccountRow; shown: Shown }> {
  const { tx, owner, at } = change
  const source = { pointer: '/data/attributes/role_id' }
  const role = await getAssignableRole(tx, owner, { id: input.roleId, source })
  requireHeld(change.permissions, permissionsOf(role))
  const id = randomUUID()
  const clientId = input.authType === 'api_key' ? null : randomUUID()
  const limits = input.authType === 'oauth_private_key_jwt' ? input.limits : undefined
  await insertAccount(tx, owner, { ...input, limits, id, clientId, createdAt: at })
  const issued = await issueFirst(services, change, { id, ...input })
  const account = await getAccount(tx, owner, id)
  await recordAudit(change, account, {
    action: 'service_account.create',
    after: { ...toAudited(account), role_name: role.name, ...(issued && { credential_id: issued.row.id }) },
  })
  if (issued) await announceCreated(change, programOf(account), issued.row)
  return { account, shown: issued?.shown ?? {} }
}

async function issueFirst(
  services: Pick<Services, 'keyring' | 'now'>,
  { tx }: AccountChange,
  { id, authType, limits }: Pick<AccountInput, 'authType' | 'limits'> & { id: string },
): Promise<{ row: CredentialRow; shown: Shown } | undefined> {
  if (authType === 'oauth_private_key_jwt') return undefined
  const kind = authType === 'api_key' ? 'api_key' : 'client_secret'
  const { row, secret } = await issueCredential(services, tx, {
    kind,
    owner: { kind: 'service_account', id },
    name: 'First',
    limits,
  })
  return { row, shown: kind === 'api_key' ? { api_key: secret } : { client_secret: secret } }
}
