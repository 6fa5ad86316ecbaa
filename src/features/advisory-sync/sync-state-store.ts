import type { Db } from '#foundation/db/database.ts'
import type { SyncProgress } from '#scanning/advisories/sync-order.ts'

/** The last sync by a server, or the one in progress. */
export interface SyncState {
  readonly state: 'waiting' | 'running' | 'done' | 'failed'
  /** Epoch milliseconds of the last change. */
  readonly updatedAt: number
  readonly progress?: SyncProgress
  /** A sentence for the operator. */
  readonly failure?: string
}

const CURRENT = 'current'

export async function findSyncState(db: Db): Promise<SyncState | undefined> {
  const row = await db.selectFrom('advisory_syncs').select('state').where('id', '=', CURRENT).executeTakeFirst()
  return row && (JSON.parse(row.state) as SyncState)
}

export async function saveSyncState(db: Db, state: SyncState): Promise<void> {
  const text = JSON.stringify(state)
  await db
    .insertInto('advisory_syncs')
    .values({ id: CURRENT, state: text })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ state: text }))
    .execute()
}
