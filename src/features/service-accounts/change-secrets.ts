import { issueCredential } from '#features/credentials/issue-credential.ts'
import { type CredentialRow, deleteCredentials, listCredentials } from '#features/credentials/store.ts'
import { requireHeld } from '#features/roles/assignable-role.ts'
import { findRole, permissionsOf } from '#features/roles/store.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { auditAccount, type Change } from './change.ts'
import type { SecretsAttributes, Shown } from './resource.ts'
import { lockAccount, type ServiceAccountRow } from './store.ts'

type Needs = Pick<Services, 'keyring' | 'now'>

/** Two, so that a new secret can be rolled out while the old one still works. */
export const MAX_SECRETS = 2

/** Makes, replaces or ends client secrets of an account; it never has none and never more than two. */
export async function changeSecrets(
  needs: Needs,
  change: Change,
  { id, mode, secret }: { id: string } & SecretsAttributes,
): Promise<{ account: ServiceAccountRow; shown: Shown }> {
  const account = await lockAccount(change.tx, change.owner, { id, at: change.at })
  if (account.auth_type !== 'oauth_client_secret') {
    throw refusal('mode', `Only oauth_client_secret accounts have client secrets; this one is ${account.auth_type}`)
  }
  const secrets = await liveSecrets(change, id)
  if (mode === 'delete') {
    await endSecret(needs, change, { account, secrets, secret })
    return { account, shown: {} }
  }
  await requireMayHold(change, account)
  if (mode === 'create' && secrets.length >= MAX_SECRETS) {
    throw refusal(
      'mode',
      `The account has ${MAX_SECRETS} secrets already, the most there may be; delete or replace first`,
    )
  }
  if (mode === 'replace') await deleteCredentials(change.tx, id)
  const issued = await issueCredential(needs, change.tx, {
    kind: 'client_secret',
    owner: { kind: 'service_account', id },
    name: mode === 'replace' ? 'Replacement' : 'Second',
  })
  await auditAccount(change, id, {
    action: `secret.${mode}`,
    before: toIds(secrets),
    after: toIds(mode === 'replace' ? [issued.row] : [...secrets, issued.row]),
  })
  return { account, shown: { client_secret: issued.secret } }
}

/** Those that still work: a secret whose time has come counts no longer. */
async function liveSecrets({ tx, at }: Change, id: string): Promise<CredentialRow[]> {
  const rows = await listCredentials(tx, id)
  return rows.filter(({ expires_at, retires_at }) => Math.min(expires_at ?? Infinity, retires_at ?? Infinity) > at)
}

/** Who holds a secret can act with all that the account's role holds. */
async function requireMayHold({ tx, owner, held }: Change, account: ServiceAccountRow): Promise<void> {
  const role = await findRole(tx, owner.groupId, account.role_id)
  if (role) requireHeld(held, permissionsOf(role))
}

async function endSecret(
  { keyring }: Needs,
  change: Change,
  wanted: { account: ServiceAccountRow; secrets: CredentialRow[]; secret: string | undefined },
): Promise<void> {
  const { account, secrets, secret } = wanted
  if (secret === undefined) throw refusal('secret', '/data/attributes/secret is missing; mode delete needs it')
  const digest = keyring.digest(secret)
  const ended = secrets.find((row) => row.digest === digest)
  if (!ended) throw refusal('secret', 'This is no secret of the account')
  if (secrets.length === 1)
    throw refusal('mode', 'The account keeps at least one secret; create another first, or replace')
  await deleteCredentials(change.tx, account.id, [ended.id])
  await auditAccount(change, account.id, {
    action: 'secret.delete',
    before: toIds(secrets),
    after: toIds(secrets.filter((row) => row !== ended)),
  })
}

function toIds(rows: readonly CredentialRow[]): object {
  return { credential_ids: rows.map(({ id }) => id) }
}

function refusal(member: 'mode' | 'secret', detail: string): Problem {
  return new Problem('invalid-request', detail, { source: { pointer: `/data/attributes/${member}` } })
}
