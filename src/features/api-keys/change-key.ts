import { issueCredential } from '#features/credentials/issue-credential.ts'
import {
  type CredentialLimits,
  type CredentialRow,
  deleteCredentials,
  findCredential,
} from '#features/credentials/store.ts'
import { findUser } from '#features/members/users-store.ts'
import { isBrowserSessionLive } from '#features/user-sessions/browser-session.ts'
import type { Actor } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { limitBy } from './key-limits.ts'
import { getKey } from './store.ts'

/** The context of a change of an API key: the transaction, the key's owner, and the caller. */
export interface Change {
  readonly tx: Db
  readonly userId: string
  readonly actor: Actor
  readonly at: number
}

export async function createKey(
  services: Pick<Services, 'keyring' | 'now' | 'config'>,
  change: Change,
  wanted: { name: string; limits: CredentialLimits },
): Promise<{ row: CredentialRow; secret: string }> {
  const { tx, userId, actor } = change
  const limits = await limitByCaller(services, tx, { actor, limits: wanted.limits })
  const issued = await issueCredential(services, tx, {
    kind: 'api_key',
    owner: { kind: 'user', id: userId },
    name: wanted.name,
    limits,
  })
  await audit(change, issued.row, { action: 'create', after: toAudited(issued.row) })
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
export async function removeKey(change: Change, id: string): Promise<void> {
  const key = await getKey(change.tx, change.userId, id)
  await deleteCredentials(change.tx, change.userId, id)
  await audit(change, key, { action: 'delete', before: toAudited(key) })
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

async function audit(
  { tx, userId, actor, at }: Change,
  key: CredentialRow,
  { action, ...states }: { action: string; before?: object; after?: object },
): Promise<void> {
  const user = await findUser(tx, userId)
  await recordAudit(tx, actor, {
    at,
    action: `api_key.${action}`,
    groupId: user?.group_id,
    target: { kind: 'api_key', id: key.id },
    ...states,
  })
}
