import type { Db } from '#foundation/db/database.ts'

/** The failures of one counter, and the end of its waiting time. */
export interface Count {
  readonly failures: number
  readonly blockedUntil: number
}

/**
 * Adds one failure, and so locks the count until the transaction ends. Failures before `forgetBefore` no longer count.
 */
export async function addFailure(
  tx: Db,
  id: string,
  { at, forgetBefore }: { at: number; forgetBefore: number },
): Promise<Count> {
  const row = await tx
    .insertInto('sign_in_failures')
    .values({ id, failures: 1, last_at: at, blocked_until: 0 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        failures: eb
          .case()
          .when('sign_in_failures.last_at', '<', forgetBefore)
          .then(1)
          .else(eb('sign_in_failures.failures', '+', 1))
          .end(),
        last_at: at,
      })),
    )
    .returning(['failures', 'blocked_until'])
    .executeTakeFirstOrThrow()
  return { failures: row.failures, blockedUntil: row.blocked_until }
}

/** Sets the time of the last failure to the end of the password check. */
export async function noteFailure(tx: Db, id: string, at: number): Promise<void> {
  await tx.updateTable('sign_in_failures').set({ last_at: at }).where('id', '=', id).execute()
}

export async function block(tx: Db, id: string, until: number): Promise<void> {
  await tx.updateTable('sign_in_failures').set({ blocked_until: until }).where('id', '=', id).execute()
}

/** Subtracts one failure and its waiting time, unless another failure has set a longer one since. */
export async function takeBackFailure(tx: Db, id: string, blockedUntil: number): Promise<void> {
  await tx
    .updateTable('sign_in_failures')
    .set((eb) => ({
      failures: eb('failures', '-', 1),
      blocked_until: eb.case().when('blocked_until', '=', blockedUntil).then(0).else(eb.ref('blocked_until')).end(),
    }))
    .where('id', '=', id)
    .where('failures', '>', 0)
    .execute()
}

export async function forgetFailures(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('sign_in_failures').where('id', '=', id).execute()
}

/** Deletes counts whose last failure is too old to matter. */
export async function deleteFailuresBefore(db: Db, at: number): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('last_at', '<', at).execute()
}
