import { sql } from 'kysely'
import { toParts } from '#features/issue-index/storage/packages-store.ts'
import type { Db } from '#foundation/db/database.ts'

/** A project of a target at one branch, for comparison with an import. */
export interface KnownProject {
  readonly id: string
  readonly ecosystem: string
  readonly path: string
  readonly digest: string | null
  readonly isActive: boolean
  /** True if it was deactivated because its manifest was missing. */
  readonly hasVanished: boolean
}

export async function listKnownProjects(
  db: Db,
  { targetId, reference }: { targetId: string; reference: string | null },
): Promise<KnownProject[]> {
  const rows = await db
    .selectFrom('projects as p')
    .leftJoin('vanished_projects as v', 'v.project_id', 'p.id')
    .select(['p.id', 'p.type', 'p.target_file', 'p.content_digest', 'p.status', 'v.project_id'])
    .where('p.target_id', '=', targetId)
    .where('p.target_reference', reference === null ? 'is' : '=', reference)
    .where('p.target_file', 'is not', null)
    .orderBy('p.target_file')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    ecosystem: row.type,
    path: row.target_file!,
    digest: row.content_digest,
    isActive: row.status === 'active',
    hasVanished: row.project_id !== null,
  }))
}

const ROWS_OF_STATEMENT = 500

/**
 * Deactivates projects whose manifests are gone, and returns their ids. Projects that users deactivated stay as they
 * are.
 */
export async function deactivateVanished(tx: Db, ids: readonly string[], at: number): Promise<string[]> {
  const gone: string[] = []
  for (let from = 0; from < ids.length; from += ROWS_OF_STATEMENT) {
    const rows = await tx
      .updateTable('projects')
      .set({ status: 'inactive', next_test_at: null, updated_at: at })
      .where('id', 'in', ids.slice(from, from + ROWS_OF_STATEMENT))
      .where('status', '=', 'active')
      .returning('id')
      .execute()
    if (rows.length === 0) continue
    await tx
      .insertInto('vanished_projects')
      .values(rows.map(({ id }) => ({ project_id: id, vanished_at: at })))
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ vanished_at: at }))
      .execute()
    gone.push(...rows.map(({ id }) => id))
  }
  return gone
}

/** Returns true if the project still belongs to the target: it may have been deleted or moved. */
export async function isOfTarget(tx: Db, id: string, targetId: string): Promise<boolean> {
  const query = tx.selectFrom('projects').select('id').where('id', '=', id).where('target_id', '=', targetId)
  return (await query.executeTakeFirst()) !== undefined
}

export async function returnVanished(tx: Db, id: string, at: number): Promise<boolean> {
  const row = await tx
    .deleteFrom('vanished_projects')
    .where('project_id', '=', id)
    .returning('project_id')
    .executeTakeFirst()
  if (row === undefined) return false
  await tx.updateTable('projects').set({ status: 'active', updated_at: at }).where('id', '=', id).execute()
  return true
}

export interface Unread {
  readonly message: string
  readonly at: number
}

/** Marks projects as outdated since now, and schedules tests of their stored data. */
function toColumns({ message, at }: Unread) {
  const soon = sql<number | null>`case when test_frequency = 'never' then null else cast(${at} as bigint) end`
  const since = sql<number>`coalesce(source_failed_at, cast(${at} as bigint))`
  return { source_failure: message, source_failed_at: since, next_test_at: soon }
}

interface TargetReference {
  readonly targetId: string
  readonly reference: string | null
}

export async function noteUnreadTarget(
  tx: Db,
  { targetId, reference }: TargetReference,
  unread: Unread,
): Promise<void> {
  await tx
    .updateTable('projects')
    .set(toColumns(unread))
    .where('target_id', '=', targetId)
    .where('target_reference', reference === null ? 'is' : '=', reference)
    .where('status', '=', 'active')
    .execute()
}

export async function noteUnreadProjects(tx: Db, ids: readonly string[], unread: Unread): Promise<void> {
  const update = tx.updateTable('projects').set(toColumns(unread)).where('status', '=', 'active')
  for (const part of toParts(ids)) await update.where('id', 'in', part).execute()
}

/** Returns the time since which a target cannot be read at this branch; undefined if it can. */
export async function findUnreadSince(db: Db, { targetId, reference }: TargetReference): Promise<number | undefined> {
  const row = await db
    .selectFrom('projects')
    .select(({ fn }) => fn.min<number | string | null>('source_failed_at').as('since'))
    .where('target_id', '=', targetId)
    .where('target_reference', reference === null ? 'is' : '=', reference)
    .executeTakeFirst()
  return row?.since == null ? undefined : Number(row.since)
}
