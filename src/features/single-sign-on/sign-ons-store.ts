import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

/** A sign-on whose browser has not returned from the provider. */
export type SignOnRow = Selectable<Tables['single_sign_ons']>

export async function insertSignOn(db: Db, row: Insertable<Tables['single_sign_ons']>): Promise<void> {
  await db.insertInto('single_sign_ons').values(row).execute()
}

/** Deletes and returns a sign-on of this browser with this provider: a second response with its state finds none. */
export async function takeSignOn(
  db: Db,
  { digest, provider_id, browser }: Pick<SignOnRow, 'digest' | 'provider_id' | 'browser'>,
): Promise<SignOnRow | undefined> {
  return db
    .deleteFrom('single_sign_ons')
    .where('digest', '=', digest)
    .where('provider_id', '=', provider_id)
    .where('browser', '=', browser)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteExpiredSignOns(db: Db, at: number): Promise<void> {
  await db.deleteFrom('single_sign_ons').where('expires_at', '<=', at).execute()
}
