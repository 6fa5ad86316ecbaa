import { type Insertable, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { countRows } from '#foundation/db/count-rows.ts'
import type { Db } from '#foundation/db/database.ts'
import { type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { notFound } from '#foundation/problem.ts'

export type ImportRow = Selectable<Tables['imports']>
export type ImportState = 'pending' | 'complete' | 'failed' | 'aborted'

export async function insertImport(tx: Db, values: Insertable<Tables['imports']>): Promise<ImportRow> {
  return tx.insertInto('imports').values(values).returningAll().executeTakeFirstOrThrow()
}

export async function findImport(db: Db, id: string): Promise<ImportRow | undefined> {
  return db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()
}

export interface ImportPlace {
  readonly orgId: string
  /** Set if the path names one. */
  readonly integrationId?: string | undefined
}

export async function getImport(db: Db, { orgId, integrationId }: ImportPlace, id: string): Promise<ImportRow> {
  const row = await findImport(db, id)
  if (row?.org_id === orgId && (integrationId === undefined || row.integration_id === integrationId)) return row
  throw notFound('Import')
}

export interface ImportFilters {
  readonly integrationId?: string | undefined
  readonly targetId?: string | undefined
  readonly state?: string | undefined
  readonly cause?: string | undefined
  readonly createdAfter?: number | undefined
  /** True for imports with a failed manifest, false for those without. */
  readonly hasFailedManifests?: boolean | undefined
}

export const importsByAge: Keyset<ImportRow> = {
  columns: ['imports.created_at', 'imports.id'],
  position: ({ created_at, id }) => [created_at, id],
  order: 'desc',
}

export async function listImports(db: Db, input: WantedImports, window: Window): Promise<Page<ImportRow>> {
  return readPage(orgImports(db, input).selectAll('imports'), importsByAge, window)
}

export async function countImports(db: Db, input: WantedImports): Promise<number> {
  return countRows(orgImports(db, input))
}

interface WantedImports {
  readonly orgId: string
  readonly filters: ImportFilters
}

function orgImports(db: Db, { orgId, filters }: WantedImports) {
  const { integrationId, targetId, state, cause, createdAfter, hasFailedManifests } = filters
  let query = db.selectFrom('imports').where('org_id', '=', orgId)
  if (integrationId !== undefined) query = query.where('integration_id', '=', integrationId)
  if (targetId !== undefined) query = query.where('target_id', '=', targetId)
  if (state !== undefined) query = query.where('state', '=', state)
  if (cause !== undefined) query = query.where('cause', '=', cause)
  if (createdAfter !== undefined) query = query.where('created_at', '>=', createdAfter)
  if (hasFailedManifests !== undefined) {
    query = query.where(({ exists, not, selectFrom }) => {
      const failed = exists(
        selectFrom('import_manifests as m')
          .select('m.import_id')
          .whereRef('m.import_id', '=', 'imports.id')
          .where('m.state', '=', 'failed'),
      )
      return hasFailedManifests ? failed : not(failed)
    })
  }
  return query
}

/** Returns a pending import, and sets its start time on the first attempt. Undefined if it is finished. */
export async function beginImport(db: Db, id: string, at: number): Promise<ImportRow | undefined> {
  return db
    .updateTable('imports')
    .set(({ fn, ref, val }) => ({ started_at: fn.coalesce(ref('started_at'), val(at)) }))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returningAll()
    .executeTakeFirst()
}

export async function isPending(db: Db, id: string): Promise<boolean> {
  return (await findImport(db, id))?.state === 'pending'
}

interface Listing extends Pick<ImportRow, 'reference' | 'revision' | 'message'> {
  readonly targetId: string
  readonly isTruncated: boolean
  readonly leftOut: readonly LeftOut[]
  readonly at: number
}

export const leftOutReasons = [
  'submodule',
  'package_manager',
  'limit',
  'policy_file',
  'out_of_scope',
  'installed_packages',
] as const

/** A path that an import found but does not test. */
export interface LeftOut {
  readonly path: string
  /** Null for a path of no package manager or an unknown one. */
  readonly package_manager: string | null
  readonly reason: (typeof leftOutReasons)[number]
}

/**
 * Stores the manifests' revision and omissions, and so locks the import until the commit. Returns false if it was
 * listed before.
 */
export async function saveListing(
  tx: Db,
  id: string,
  { targetId, reference, revision, isTruncated, message, leftOut, at }: Listing,
): Promise<boolean> {
  const row = await tx
    .updateTable('imports')
    .set({
      target_id: targetId,
      reference,
      revision,
      is_truncated: isTruncated ? 1 : 0,
      message,
      left_out: leftOut.length === 0 ? null : JSON.stringify(leftOut),
      listed_at: at,
    })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('listed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Sets the final state of an import and returns it; undefined if it was finished before. */
export async function endImport(
  tx: Db,
  id: string,
  { state, message, at }: { state: ImportState; message: string | null; at: number },
): Promise<ImportRow | undefined> {
  return tx
    .updateTable('imports')
    .set({ state, ended_at: at, ...(message !== null && { message }) })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returningAll()
    .executeTakeFirst()
}

export interface OldImports {
  readonly cause: string
  /** Range of end times, epoch milliseconds; `before` is exclusive. */
  readonly from: number
  readonly before: number
}

/**
 * Deletes a batch of imports that ended in the range, oldest first. Returns the end time of the last one, as the next
 * `from`, so that kept imports are skipped; undefined if there was none. Keeps the last import of each target and
 * branch, whose request is repeated by the schedule.
 */
export async function deleteOldImports(db: Db, { cause, from, before }: OldImports): Promise<number | undefined> {
  const old = await db
    .selectFrom('imports as i')
    .select(['i.id', 'i.ended_at'])
    .where('i.ended_at', '>=', from)
    .where('i.ended_at', '<', before)
    .where('i.cause', '=', cause)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('i.target_id', 'is', null),
        exists(
          selectFrom('imports as newer')
            .select('newer.id')
            .whereRef('newer.target_id', '=', 'i.target_id')
            .whereRef('newer.created_at', '>', 'i.created_at')
            .where(sql<boolean>`coalesce(newer.reference, '') = coalesce(i.reference, '')`),
        ),
      ]),
    )
    .orderBy('i.ended_at')
    .limit(sql.lit(PURGED_AT_ONCE))
    .execute()
  if (old.length === 0) return undefined
  const ids = old.map(({ id }) => id)
  await db.deleteFrom('imports').where('id', 'in', ids).execute()
  return old.at(-1)!.ended_at!
}

const PURGED_AT_ONCE = 100

export async function findLastScheduled(
  db: Db,
  { targetId, reference }: { targetId: string; reference: string | null },
): Promise<ImportRow | undefined> {
  const ofTarget = db.selectFrom('imports').selectAll().where('target_id', '=', targetId)
  return newestOf(ofTarget.where('cause', '=', 'schedule').where('reference', isOf(reference), reference))
}

/** Comparison with a branch, which a target without branches does not have. */
function isOf(reference: string | null): 'is' | '=' {
  return reference === null ? 'is' : '='
}

/**
 * Finds the last request of a target and branch, to repeat it. Projects can be assigned to a branch that was never
 * imported; then the last one of another branch is used.
 */
export async function findLastRequest(
  db: Db,
  { targetId, reference }: { targetId: string; reference: string | null },
): Promise<ImportRow | undefined> {
  const ofTarget = db.selectFrom('imports').selectAll().where('target_id', '=', targetId)
  const ofBranch = ofTarget.where('reference', isOf(reference), reference)
  const last = await newestOf(ofBranch)
  return last === undefined && reference !== null ? newestOf(ofTarget.where('reference', 'is not', null)) : last
}

function newestOf(query: SelectQueryBuilder<Tables, 'imports', ImportRow>): Promise<ImportRow | undefined> {
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(sql.lit(1)).executeTakeFirst()
}
