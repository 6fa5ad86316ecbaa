import type { CredentialRow } from '#features/credentials/store.ts'
import type { Db } from '#foundation/db/database.ts'
import { byAge, type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import { notFound } from '#foundation/problem.ts'

export const keysByAge: Keyset<CredentialRow> = byAge('credentials')

function keysOf(db: Db, userId: string) {
  return db
    .selectFrom('credentials')
    .selectAll()
    .where('owner_id', '=', userId)
    .where('owner_kind', '=', 'user')
    .where('kind', '=', 'api_key')
}

export async function listKeys(db: Db, userId: string, window: Window): Promise<Page<CredentialRow>> {
  return readPage(keysOf(db, userId), keysByAge, window)
}

export async function getKey(db: Db, userId: string, id: string): Promise<CredentialRow> {
  const key = await keysOf(db, userId).where('id', '=', id).executeTakeFirst()
  if (!key) throw notFound(`API key ${id}`)
  return key
}
