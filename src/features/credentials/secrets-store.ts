import type { Db } from '#foundation/db/database.ts'
import { byAge, type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import { notFound } from '#foundation/problem.ts'
import type { CredentialRow } from './store.ts'

export const credentialsByAge: Keyset<CredentialRow> = byAge('credentials')

function credentialsOf(db: Db, ownerId: string) {
  return db.selectFrom('credentials').selectAll().where('owner_id', '=', ownerId)
}

export async function listCredentialsOf(db: Db, ownerId: string, window: Window): Promise<Page<CredentialRow>> {
  return readPage(credentialsOf(db, ownerId), credentialsByAge, window)
}

export async function getCredentialOf(db: Db, ownerId: string, id: string): Promise<CredentialRow> {
  const row = await credentialsOf(db, ownerId).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound(`Secret ${id}`)
  return row
}

/** Sets the end of a replaced secret's grace period. */
export async function retireSecret(
  tx: Db,
  { id, replaced_at, retires_at }: Pick<CredentialRow, 'id' | 'replaced_at' | 'retires_at'>,
): Promise<void> {
  await tx.updateTable('credentials').set({ replaced_at, retires_at }).where('id', '=', id).execute()
}

/** Removes client secrets that expired before this time, with their tokens. */
export async function deleteEndedSecrets(db: Db, endedBefore: number): Promise<void> {
  await db
    .deleteFrom('credentials')
    .where('kind', '=', 'client_secret')
    .where((eb) => eb.or([eb('retires_at', '<', endedBefore), eb('expires_at', '<', endedBefore)]))
    .execute()
}
