import { type Selectable, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type ManifestRow = Selectable<Tables['import_manifests']>
export type ManifestKey = Pick<ManifestRow, 'import_id' | 'path' | 'type'>

export interface ListedManifest {
  readonly path: string
  readonly type: string
  /** The reason for which a manifest was not tested. */
  readonly problem?: string | undefined
  /** Set for a renamed manifest. */
  readonly projectId?: string | undefined
}

const ROWS_OF_STATEMENT = 200

export async function insertManifests(
  tx: Db,
  importId: string,
  { manifests, at }: { manifests: readonly ListedManifest[]; at: number },
): Promise<void> {
  const rows = manifests.map(({ path, type, problem, projectId }) => ({
    import_id: importId,
    path,
    type,
    state: problem === undefined ? 'waiting' : 'failed',
    project_id: projectId ?? null,
    message: problem ?? null,
    ended_at: problem === undefined ? null : at,
  }))
  for (let from = 0; from < rows.length; from += ROWS_OF_STATEMENT) {
    await tx
      .insertInto('import_manifests')
      .values(rows.slice(from, from + ROWS_OF_STATEMENT))
      .execute()
  }
}

export async function listWaiting(
  db: Db,
  importId: string,
  { after, most }: { after: ManifestKey | undefined; most: number },
): Promise<ManifestRow[]> {
  let query = db
    .selectFrom('import_manifests')
    .selectAll()
    .where('import_id', '=', importId)
    .where('state', '=', 'waiting')
  if (after) query = query.where(sql<boolean>`(path, type) > (${after.path}, ${after.type})`)
  return query.orderBy('path').orderBy('type').limit(sql.lit(most)).execute()
}

export type ManifestOutcome =
  | { readonly state: 'done'; readonly message: string | null }
  | { readonly state: 'failed'; readonly message: string }

/**
 * Stores the outcome of a waiting manifest, and so locks its row until the commit. Returns false if another worker
 * finished it, or the import is finished.
 */
export async function endManifest(
  tx: Db,
  { import_id, path, type }: ManifestKey,
  { state, message, at }: ManifestOutcome & { readonly at: number },
): Promise<boolean> {
  const row = await tx
    .updateTable('import_manifests')
    .set({ state, message, ended_at: at })
    .where('import_id', '=', import_id)
    .where('path', '=', path)
    .where('type', '=', type)
    .where('state', '=', 'waiting')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('imports').select('id').where('id', '=', import_id).where('state', '=', 'pending')),
    )
    .returning('path')
    .executeTakeFirst()
  return row !== undefined
}

export async function setProject(tx: Db, { import_id, path, type }: ManifestKey, projectId: string): Promise<void> {
  await tx
    .updateTable('import_manifests')
    .set({ project_id: projectId })
    .where('import_id', '=', import_id)
    .where('path', '=', path)
    .where('type', '=', type)
    .execute()
}

/** Fails waiting manifests with one reason. Returns the projects known for them. */
export async function failWaiting(
  tx: Db,
  importId: string,
  { message, at }: { message: string; at: number },
): Promise<string[]> {
  const rows = await tx
    .updateTable('import_manifests')
    .set({ state: 'failed', message, ended_at: at })
    .where('import_id', '=', importId)
    .where('state', '=', 'waiting')
    .returning('project_id')
    .execute()
  return rows.flatMap(({ project_id }) => (project_id === null ? [] : [project_id]))
}

export interface ManifestCounts {
  readonly waiting: number
  readonly done: number
  readonly failed: number
}

export async function countManifests(db: Db, importId: string): Promise<ManifestCounts> {
  return (await countManifestsOf(db, [importId])).get(importId)!
}

/** Counts the manifests of several imports; each import has an entry. */
export async function countManifestsOf(db: Db, importIds: readonly string[]): Promise<Map<string, ManifestCounts>> {
  const none = { waiting: 0, done: 0, failed: 0 }
  const counts = new Map<string, ManifestCounts>(importIds.map((id) => [id, none]))
  if (importIds.length === 0) return counts
  const rows = await db
    .selectFrom('import_manifests')
    .select(({ fn }) => ['import_id', 'state', fn.countAll<number>().as('count')])
    .where('import_id', 'in', importIds)
    .groupBy(['import_id', 'state'])
    .execute()
  for (const { import_id, state, count } of rows) {
    counts.set(import_id, { ...counts.get(import_id)!, [state]: Number(count) })
  }
  return counts
}

export async function listEnded(db: Db, importId: string): Promise<ManifestRow[]> {
  return db
    .selectFrom('import_manifests')
    .selectAll()
    .where('import_id', '=', importId)
    .where('state', 'in', ['done', 'failed'])
    .orderBy('path')
    .orderBy('type')
    .execute()
}

export const manifestsByPath: Keyset<ManifestRow> = {
  columns: ['import_manifests.path', 'import_manifests.type'],
  position: ({ path, type }) => [path, type],
}

export async function listManifests(
  db: Db,
  { importId, state }: { importId: string; state: string | undefined },
  window: Window,
): Promise<Page<ManifestRow>> {
  const query = db.selectFrom('import_manifests').selectAll().where('import_id', '=', importId)
  return readPage(state === undefined ? query : query.where('state', '=', state), manifestsByPath, window)
}
