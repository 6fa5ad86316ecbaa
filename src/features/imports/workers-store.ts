import { sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { ManifestRow } from './manifests-store.ts'
import type { ImportRow } from './store.ts'

/** A claim takes a quarter of the free manifests, so that the last ones are spread over all workers. */
const SHARE_OF_FREE = 4
const LEAST_CLAIMED = 8
/** Minimum number of free manifests for sharing: fewer are tested before another process has opened the repository. */
export const LEAST_SHARED = 12

export interface ImportWorker {
  readonly id: string
  readonly importId: string
  readonly processId: string
}

export async function addWorker(db: Db, { id, importId, processId }: ImportWorker, leaseEndsAt: number): Promise<void> {
  await db
    .insertInto('import_workers')
    .values({ id, import_id: importId, process_id: processId, lease_ends_at: leaseEndsAt })
    .execute()
}

export async function extendWorker(db: Db, id: string, leaseEndsAt: number): Promise<void> {
  await db.updateTable('import_workers').set({ lease_ends_at: leaseEndsAt }).where('id', '=', id).execute()
}

/** Releases the unfinished manifests that the worker claimed. */
export async function removeWorker(db: Db, id: string): Promise<void> {
  await db.deleteFrom('import_workers').where('id', '=', id).execute()
}

export async function removeWorkersOf(tx: Db, importId: string): Promise<void> {
  await tx.deleteFrom('import_workers').where('import_id', '=', importId).execute()
}

/**
 * Claims up to `most` free manifests in path order. Processes claim concurrently without waiting for each other.
 * PostgreSQL only.
 */
export async function claimManifests(
  db: Db,
  { id, importId }: ImportWorker,
  { most, now }: { readonly most: number; readonly now: number },
): Promise<ManifestRow[]> {
  const isFree = freeAt(importId, now)
  const claimed = await sql<ManifestRow>`
    update import_manifests set claimed_by = ${id}
    from (
      select path, type from import_manifests where ${isFree} order by path, type
      limit (
        select least(${most}::integer, greatest(${sql.lit(LEAST_CLAIMED)}, count(*) / ${sql.lit(SHARE_OF_FREE)}))
        from import_manifests where ${isFree}
      )
      for update skip locked
    ) free
    where import_id = ${importId} and import_manifests.path = free.path and import_manifests.type = free.type
    returning import_manifests.*`.execute(db)
  return claimed.rows.sort((a, b) => compare(a.path, b.path) || compare(a.type, b.type))
}

function freeAt(importId: string, now: number) {
  return sql<boolean>`import_id = ${importId} and state = 'waiting' and (claimed_by is null or claimed_by not in (
    select id from import_workers where import_id = ${importId} and lease_ends_at > ${now}))`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns true while manifests wait that this worker did not claim. */
export async function hasForeignManifests(db: Db, { id, importId }: ImportWorker): Promise<boolean> {
  const row = await db
    .selectFrom('import_manifests')
    .select('path')
    .where('import_id', '=', importId)
    .where('state', '=', 'waiting')
    .where(({ or, eb }) => or([eb('claimed_by', 'is', null), eb('claimed_by', '!=', id)]))
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Finds a pending import of other processes with enough free manifests: of the organization with the fewest workers,
 * and of its imports the one with the fewest. PostgreSQL only.
 */
export async function findImportToShare(
  db: Db,
  { processId, except, now }: { processId: string; except: readonly string[]; now: number },
): Promise<ImportRow | undefined> {
  const without = except.length === 0 ? sql`` : sql`and i.id not in (${sql.join([...except])})`
  const result = await sql<ImportRow>`
    with live as (
      select w.import_id, w.process_id, i.org_id from import_workers w join imports i on i.id = w.import_id
      where w.lease_ends_at > ${now}
    )
    select i.* from imports i
    where i.id in (select import_id from live) and i.state = 'pending' and i.listed_at is not null
      and i.id not in (select import_id from live where process_id = ${processId}) ${without}
      and (select count(*) from (
        select 1 from import_manifests m where m.import_id = i.id and m.state = 'waiting'
          and (m.claimed_by is null or m.claimed_by not in (
            select id from import_workers w where w.import_id = i.id and w.lease_ends_at > ${now}))
        limit ${sql.lit(LEAST_SHARED)}
      ) free) = ${sql.lit(LEAST_SHARED)}
    order by (select count(*) from live where live.org_id = i.org_id),
      (select count(*) from live where live.import_id = i.id), i.created_at, i.id
    limit 1`.execute(db)
  return result.rows[0]
}
