import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { byAge, type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'

export type IdentityRow = Selectable<Tables['identities']>

export async function findIdentity(db: Db, providerId: string, subject: string): Promise<IdentityRow | undefined> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('provider_id', '=', providerId)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** Returns true if the user already has another identity with the provider. */
export async function hasIdentity(db: Db, providerId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('identities')
    .select('id')
    .where('provider_id', '=', providerId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

export type ConnectedIdentity = Awaited<ReturnType<typeof listConnected>>[number]

export const identitiesByAge: Keyset<ConnectedIdentity> = byAge('i')

/** Lists all identities of a user. A group has few providers, and a user one identity with each. */
export async function listConnected(db: Db, userId: string) {
  return connectedOf(db, userId).execute()
}

export async function listIdentities(db: Db, userId: string, window: Window): Promise<Page<ConnectedIdentity>> {
  return readPage(connectedOf(db, userId), identitiesByAge, window)
}

function connectedOf(db: Db, userId: string) {
  return db
    .selectFrom('identities as i')
    .innerJoin('identity_providers as p', 'p.id', 'i.provider_id')
    .select(['i.id', 'i.provider_id', 'i.subject', 'i.created_at', 'i.last_sign_in_at', 'p.name as provider'])
    .where('i.user_id', '=', userId)
}

/** Deletes an identity and revokes the sessions that it began. */
export async function deleteIdentity(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('identities').where('id', '=', id).execute()
}

export async function insertIdentity(tx: Db, identity: Insertable<Tables['identities']>): Promise<void> {
  await tx.insertInto('identities').values(identity).execute()
}

export const sealedIdentities: SealedPlace = {
  table: 'identities',
  key: ['id'],
  column: 'refresh_token',
  context: ({ id }) => tokenContext(id!),
}

/** Context of the encryption of a refresh token. */
export function tokenContext(identityId: string): string {
  return `refresh token of identity ${identityId}`
}

export async function noteSignIn(
  tx: Db,
  id: string,
  { at, refreshToken }: { at: number; refreshToken: Uint8Array | null },
): Promise<void> {
  await tx
    .updateTable('identities')
    .set({ last_sign_in_at: at, checked_at: at, ...(refreshToken && { refresh_token: refreshToken }) })
    .where('id', '=', id)
    .execute()
}

/** An identity that is to be checked with its provider. */
export type CheckedIdentity = Awaited<ReturnType<typeof listUnchecked>>[number]

/** Lists identities of enabled users that were last checked at or before a time, longest ago first. */
export async function listUnchecked(db: Db, at: number, limit: number) {
  return db
    .selectFrom('identities as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .selectAll('i')
    .where('i.refresh_token', 'is not', null)
    .where('i.checked_at', '<=', at)
    .where('u.disabled_at', 'is', null)
    .where('u.break_glass', 'is', null)
    .orderBy('i.checked_at')
    .limit(limit)
    .execute()
}

/** Saves the result of a check. Returns false if the user has signed in or was checked since the identity was read. */
export async function saveCheck(
  tx: Db,
  { id, checked_at }: Pick<IdentityRow, 'id' | 'checked_at'>,
  change: { checked_at: number; refresh_token?: Uint8Array | null },
): Promise<boolean> {
  const row = await tx
    .updateTable('identities')
    .set(change)
    .where('id', '=', id)
    .where('checked_at', '=', checked_at)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function makeCheckDue(tx: Db, id: string): Promise<void> {
  await tx.updateTable('identities').set({ checked_at: 0 }).where('id', '=', id).execute()
}

/**
 * Deletes the sessions that an identity began: those of one session of the provider, or all. Returns their number and
 * the users.
 */
export async function deleteSessionsOf(
  tx: Db,
  { providerId, subject, providerSession }: { providerId: string; subject?: string; providerSession?: string },
): Promise<{ readonly id: string; readonly user_id: string }[]> {
  const identities = (of: Db) => {
    const query = of.selectFrom('identities').select('id').where('provider_id', '=', providerId)
    return subject === undefined ? query : query.where('subject', '=', subject)
  }
  const ofPending = tx.deleteFrom('pending_sign_ins').where('identity_id', 'in', identities(tx))
  const ofSessions = tx.deleteFrom('user_sessions').where('identity_id', 'in', identities(tx))
  if (providerSession === undefined) {
    await ofPending.execute()
    return ofSessions.returning(['id', 'user_id']).execute()
  }
  await ofPending.where('provider_session', '=', providerSession).execute()
  return ofSessions
    .where((eb) =>
      eb.or([
        eb('provider_session', '=', providerSession),
        // A session without the provider's session id may be this one.
        ...(subject === undefined ? [] : [eb('provider_session', 'is', null)]),
      ]),
    )
    .returning(['id', 'user_id'])
    .execute()
}

/** Returns false if the token was used before. */
export async function takeLogoutToken(tx: Db, digest: string, expiresAt: number): Promise<boolean> {
  const row = await tx
    .insertInto('used_logout_tokens')
    .values({ digest, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteExpiredLogoutTokens(db: Db, at: number): Promise<void> {
  await db.deleteFrom('used_logout_tokens').where('expires_at', '<=', at).execute()
}
