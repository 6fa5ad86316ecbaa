import type { Selectable } from 'kysely'
import { type Db, isReferenceViolation } from '#foundation/db/database.ts'
import { type Keyset, type Page, preparedPage, type Window } from '#foundation/db/keyset.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import type { MaybePromise } from '#foundation/maybe-promise.ts'
import { notFound } from '#foundation/problem.ts'

export type ArchiveRow = Selectable<Tables['archives']>

export const archivesByAge: Keyset<ArchiveRow> = {
  columns: ['created_at', 'id'],
  position: ({ created_at, id }) => [created_at, id],
}

/** Selects complete archives. Incomplete ones are invisible. */
function archivesOf(db: Db, integrationId: string) {
  return db.selectFrom('archives').selectAll().where('integration_id', '=', integrationId).where('is_whole', '=', 1)
}

const pageOfIntegration = preparedPage(
  (db: Db, { integrationId }: { integrationId: string }) => archivesOf(db, integrationId),
  archivesByAge,
)

export function listArchives(db: Db, integrationId: string, window: Window): MaybePromise<Page<ArchiveRow>> {
  return pageOfIntegration(db, { integrationId }, window)
}

export interface ArchiveInput {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly digest?: string | undefined
}

export async function findNewestArchive(
  db: Db,
  integrationId: string,
  { id, name, digest }: ArchiveInput,
): Promise<ArchiveRow | undefined> {
  let query = archivesOf(db, integrationId).orderBy('created_at', 'desc').orderBy('id', 'desc')
  if (id !== undefined) query = query.where('id', '=', id)
  if (name !== undefined) query = query.where('name', '=', name)
  if (digest !== undefined) query = query.where('digest', '=', digest)
  return query.executeTakeFirst()
}

/** Returns the stored bytes, including uploads in progress. */
export async function measureArchives(tx: Db, { orgId, integrationId }: { orgId: string; integrationId: string }) {
  const rows = await tx
    .selectFrom('archives as a')
    .innerJoin('integrations as i', 'i.id', 'a.integration_id')
    .select(({ fn }) => [
      'a.integration_id',
      fn.countAll<number>().as('count'),
      fn.sum<number>('a.size_bytes').as('bytes'),
    ])
    .where('i.org_id', '=', orgId)
    .groupBy('a.integration_id')
    .execute()
  return {
    ofIntegration: rows.find(({ integration_id }) => integration_id === integrationId)?.count ?? 0,
    ofOrg: rows.reduce((sum, { count }) => sum + count, 0),
    bytesOfOrg: rows.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

export interface BegunArchive {
  readonly id: string
  readonly integrationId: string
  readonly name: string
  /** Maximum size, which counts until the upload is complete. */
  readonly mostBytes: number
  readonly isInBucket: boolean
  readonly at: number
}

/** Inserts an archive, invisible until it is complete. Throws 404 if its integration was deleted meanwhile. */
export async function insertArchive(db: Db, begun: BegunArchive): Promise<void> {
  const row = {
    id: begun.id,
    integration_id: begun.integrationId,
    name: begun.name,
    size_bytes: begun.mostBytes,
    digest: '',
    is_whole: 0,
    created_at: begun.at,
    is_in_bucket: begun.isInBucket ? 1 : 0,
  }
  try {
    await db.insertInto('archives').values(row).execute()
  } catch (error) {
    throw isReferenceViolation(error) ? notFound('Integration') : error
  }
}

/**
 * Throws 404 if the archive was deleted meanwhile: with its integration, or because the upload took more than a day.
 */
export async function insertPiece(
  db: Db,
  { archiveId, place, content }: { archiveId: string; place: number; content: Uint8Array },
): Promise<void> {
  try {
    await db.insertInto('archive_pieces').values({ archive_id: archiveId, place, content }).execute()
  } catch (error) {
    throw isReferenceViolation(error) ? notFound('Archive') : error
  }
}

/** Throws 404 if the archive was deleted meanwhile. */
export async function completeArchive(
  tx: Db,
  id: string,
  whole: { sizeBytes: number; digest: string; at: number },
): Promise<ArchiveRow> {
  const row = await tx
    .updateTable('archives')
    .set({ is_whole: 1, size_bytes: whole.sizeBytes, digest: whole.digest, created_at: whole.at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw notFound('Archive')
  return row
}

export async function deleteArchive(tx: Db, integrationId: string, id: string): Promise<ArchiveRow> {
  const row = await tx
    .deleteFrom('archives')
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('is_whole', '=', 1)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw notFound('Archive')
  return row
}

export async function dropUnfinished(db: Db, id: string): Promise<void> {
  await db.deleteFrom('archives').where('id', '=', id).where('is_whole', '=', 0).execute()
}

/** Removes archives of an organization whose upload was interrupted, for example because a process died. */
export async function dropAbandoned(tx: Db, orgId: string, before: number): Promise<void> {
  await tx
    .deleteFrom('archives')
    .where('integration_id', 'in', tx.selectFrom('integrations').select('id').where('org_id', '=', orgId))
    .where('is_whole', '=', 0)
    .where('created_at', '<', before)
    .execute()
}

/** Removes interrupted uploads of all organizations, including those that never upload again. */
export async function dropAllAbandoned(db: Db, before: number): Promise<void> {
  await db.deleteFrom('archives').where('is_whole', '=', 0).where('created_at', '<', before).execute()
}

/** Deletes older archives of the same name, except the newest `kept`. */
export async function dropOlder(tx: Db, { integration_id, name }: ArchiveRow, kept: number): Promise<void> {
  const rows = await tx
    .selectFrom('archives')
    .select('id')
    .where('integration_id', '=', integration_id)
    .where('name', '=', name)
    .where('is_whole', '=', 1)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const old = rows.slice(kept).map(({ id }) => id)
  if (old.length > 0) await tx.deleteFrom('archives').where('id', 'in', old).execute()
}

export async function findPiece(db: Db, archiveId: string, place: number): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('archive_pieces')
    .select('content')
    .where('archive_id', '=', archiveId)
    .where('place', '=', place)
    .executeTakeFirst()
  return row?.content
}
