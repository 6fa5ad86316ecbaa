import type { UserRow } from '#features/user-sessions/users-store.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import { type ConnectedIdentity, deleteIdentity, listConnected } from './identities-store.ts'

/** Disconnects a user from an identity provider. The sessions that began there end; account and roles stay. */
export async function disconnectIdentity(change: Change, user: UserRow, id: string): Promise<void> {
  const identity = (await listConnected(change.tx, user.id)).find((one) => one.id === id)
  if (!identity) throw notFound(`Identity ${id}`)
  await disconnect(change, user, identity)
}

/** Disconnects a user from all identity providers. Throws 409 if there is none. */
export async function disconnectIdentities(change: Change, user: UserRow): Promise<void> {
  const identities = await listConnected(change.tx, user.id)
  if (identities.length === 0) throw new Problem('conflict', 'The user is not connected to an identity provider.')
  for (const identity of identities) await disconnect(change, user, identity)
}

async function disconnect(
  { tx, actor, at }: Change,
  { id: userId, group_id }: UserRow,
  { id, provider_id, provider, subject }: ConnectedIdentity,
): Promise<void> {
  await deleteIdentity(tx, id)
  await recordAudit(
    { tx, actor, at },
    { id: userId, group_id: group_id },
    { action: 'user.identity.delete', before: { provider_id, provider, subject } },
  )
}
