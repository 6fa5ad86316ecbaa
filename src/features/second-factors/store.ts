import type { Selectable } from 'kysely'
import { countRows } from '#foundation/db/count-rows.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type FactorRow = Selectable<Tables['second_factors']>

/** Revokes sign-ins that used the former factors, whose mark no longer matches. */
export async function saveFactorsChange(tx: Db, userId: string, at: number): Promise<void> {
  await tx.updateTable('users').set({ factors_changed_at: at }).where('id', '=', userId).execute()
}

/** Lists the factors of a user, oldest first. */
export async function listFactors(db: Db, userId: string): Promise<FactorRow[]> {
  return db
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

type NewFactor = Pick<FactorRow, 'id' | 'user_id' | 'kind' | 'name' | 'created_at'> & Partial<FactorRow>

export async function insertFactor(tx: Db, factor: NewFactor): Promise<void> {
  await tx.insertInto('second_factors').values(factor).execute()
}

export async function findPasskey(db: Db, credentialId: string): Promise<FactorRow | undefined> {
  return db.selectFrom('second_factors').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
}

/** Records a use of a code. Returns false if this code or a later one was used before. */
export async function takeStep(tx: Db, id: string, { step, at }: { step: number; at: number }): Promise<boolean> {
  const row = await tx
    .updateTable('second_factors')
    .set({ last_step: step, last_used_at: at })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Records a use of a passkey. Returns false if it was removed, or used by another request since it was read. */
export async function saveSignCount(
  tx: Db,
  { id, sign_count }: Pick<FactorRow, 'id' | 'sign_count'>,
  { signCount, at }: { signCount: number; at: number },
): Promise<boolean> {
  const row = await tx
    .updateTable('second_factors')
    .set({ sign_count: signCount, last_used_at: at })
    .where('id', '=', id)
    .where('sign_count', '=', sign_count)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteFactor(tx: Db, { id, userId }: { id: string; userId: string }) {
  return tx
    .deleteFrom('second_factors')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteFactors(tx: Db, userId: string): Promise<number> {
  return (await tx.deleteFrom('second_factors').where('user_id', '=', userId).returning('id').execute()).length
}

export async function insertRecoveryCodes(tx: Db, userId: string, digests: readonly string[]): Promise<void> {
  await tx
    .insertInto('recovery_codes')
    .values(digests.map((digest) => ({ digest, user_id: userId })))
    .execute()
}

export async function deleteRecoveryCodes(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/** Deletes a recovery code. Returns false if it was used or never existed; of concurrent uses one returns true. */
export async function takeRecoveryCode(tx: Db, userId: string, digest: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('recovery_codes')
    .where('digest', '=', digest)
    .where('user_id', '=', userId)
    .returning('digest')
    .executeTakeFirst()
  return row !== undefined
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return countRows(db.selectFrom('recovery_codes').where('user_id', '=', userId))
}
