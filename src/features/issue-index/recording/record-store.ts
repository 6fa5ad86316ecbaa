import { randomUUID } from 'node:crypto'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { insertMissing } from '#foundation/db/insert-missing.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { noIssues } from '../severity-counts.ts'

export type StoredProject = Selectable<Tables['projects']>

export interface TargetInput {
  readonly orgId: string
  readonly integrationId: string | null
  readonly origin: string
  /** Identity of the target: imports with the same key are of the same target. */
  readonly sourceKey: string
  readonly displayName: string
  readonly url: string | null
  readonly isPrivate: boolean
}

/**
 * Creates or updates a target; concurrent imports create it once. The latest displayed data wins. An update without an
 * integration keeps the present one. The target gets its counts at once, by which it is listed.
 */
export async function findOrCreateTarget(tx: Db, input: TargetInput, at: number): Promise<string> {
  const { orgId, integrationId, origin, sourceKey, displayName, url, isPrivate } = input
  const shown = { origin, display_name: displayName, url, is_private: isPrivate ? 1 : 0 }
  const key = { org_id: orgId, source_key: sourceKey }
  const { id } = await tx
    .insertInto('targets')
    .values({ id: randomUUID(), ...key, integration_id: integrationId, ...shown, created_at: at })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'source_key']).doUpdateSet(({ fn, ref }) => ({
        integration_id: fn.coalesce(ref('excluded.integration_id'), ref('targets.integration_id')),
        ...shown,
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertMissing(tx, 'target_issue_counts', [{ target_id: id, org_id: orgId, ...noIssues }])
  return id
}

export async function lockProject(
  tx: Db,
  { targetId, placeKey, at }: { targetId: string; placeKey: string; at: number },
): Promise<StoredProject | undefined> {
  return tx
    .updateTable('projects')
    .set({ updated_at: at })
    .where('target_id', '=', targetId)
    .where('place_key', '=', placeKey)
    .returningAll()
    .executeTakeFirst()
}

export async function lockProjectById(tx: Db, id: string, at: number): Promise<StoredProject | undefined> {
  return tx.updateTable('projects').set({ updated_at: at }).where('id', '=', id).returningAll().executeTakeFirst()
}

/** Locks a project without changing it. */
export async function lockProjectByNumber(tx: Db, number: number): Promise<StoredProject | undefined> {
  return tx.updateTable('projects').set({ number }).where('number', '=', number).returningAll().executeTakeFirst()
}

/** Returns undefined if another process inserted it. */
export async function insertProject(
  tx: Db,
  values: Omit<Insertable<Tables['projects']>, 'id' | 'number'>,
): Promise<StoredProject | undefined> {
  return tx
    .insertInto('projects')
    .values({ id: randomUUID(), ...values })
    .onConflict((conflict) => conflict.columns(['target_id', 'place_key']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function saveProject(tx: Db, number: number, change: Updateable<Tables['projects']>): Promise<void> {
  await tx.updateTable('projects').set(change).where('number', '=', number).execute()
}
