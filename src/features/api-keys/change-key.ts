import { issueCredential } from '#features/credentials/issue-credential.ts'
import {
  type CredentialLimits,
  type CredentialRow,
  deleteCredentials,
  findCredential,
} from '#features/credentials/store.ts'
import { isBrowserSessionLive } from '#features/user-sessions/browser-session.ts'
import { findUser } from '#features/user-sessions/users-store.ts'
import type { Actor } from '#foundation/access/caller.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { limitBy } from './key-limits.ts'
import { getKey } from './store.ts'

export interface KeyChange extends Change {
  readonly userId: string
}

export async function createKey(
  services: Pick<Services, 'keyring' | 'now' | 'config'>,
  change: KeyChange,
  input: { name: string; limits: CredentialLimits },
): Promise<{ row: CredentialRow; secret: string }> {
  const { tx, userId, actor } = change
  const limits = await limitByCaller(services, tx, { actor, limits: input.limits })
  const issued = await issueCredential(services, tx, {
    kind: 'api_key',
    owner: { kind: 'user', id: userId },
    name: input.name,
    limits,
  })
  const group_id = (await findUser(change.tx, change.userId))?.group_id
  await recordAudit(change, { id: issued.row.id, group_id }, { action: 'api_key.create', after: toAudited(issued.row) })
  return issued
}

/** Returns the limits of a new key, within those of the calling key. */
async function limitByCaller(
  services: Pick<Services, 'now' | 'config'>,
  tx: Db,
  { actor: { credentialId }, limits }: { actor: Actor; limits: CredentialLimits },
): Promise<CredentialLimits> {
  const calling = credentialId === undefined ? undefined : await findCredential(tx, credentialId)
  if (calling?.kind === 'api_key') return limitBy(calling, limits)
  if (credentialId !== undefined && (await isBrowserSessionLive(services, tx, credentialId))) return limits
  throw new Problem('forbidden', 'Send an API key, or sign in to the console, to create an API key')
}

/** Deletes a key, which is refused from the commit on. */
export async function removeKey(change: KeyChange, id: string): Promise<void> {
  const key = await getKey(change.tx, change.userId, id)
  await deleteCredentials(change.tx, change.userId, id)
  const group_id = (await findUser(change.tx, change.userId))?.group_id
  await recordAudit(change, { id: key.id, group_id }, { action: 'api_key.delete', before: toAudited(key) })
}

function toAudited({ owner_id, name, hint, expires_at, allowed_networks }: CredentialRow): object {
  return {
    user_id: owner_id,
    name,
    hint,
    ...(expires_at !== null && { expires_at: new Date(expires_at).toISOString() }),
    ...(allowed_networks !== null && { allowed_networks: JSON.parse(allowed_networks) }),
  }
}
