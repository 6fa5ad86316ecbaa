import { type Selectable, sql } from 'kysely'
import { countRows } from '#foundation/db/count-rows.ts'
import type { Db } from '#foundation/db/database.ts'
import { byAge, type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { beginsWith } from '#foundation/db/text-match.ts'
import { notFound } from '#foundation/problem.ts'
import { forgetProjects } from './store.ts'

/** A target with the kind of its integration; null if it has none, or it was deleted. */
export type TargetRow = Selectable<Tables['targets']> & { readonly integration_kind: string | null }

export interface TargetFilters {
  readonly ids?: readonly string[] | undefined
  readonly isPrivate?: boolean | undefined
  readonly url?: string | undefined
  readonly origins?: readonly string[] | undefined
  /** Case-insensitive prefix of the name. */
  readonly nameStart?: string | undefined
  /** Epoch milliseconds, inclusive. */
  readonly createdFrom?: number | undefined
  /** Only targets with projects. */
  readonly hasProjects?: boolean | undefined
}

export const targetsByAge: Keyset<TargetRow> = byAge('t')

function shownTargets(db: Db, orgId: string) {
  return db
    .selectFrom('targets as t')
    .selectAll('t')
    .select(
      sql<string | null>`(select i.kind from integrations i where i.id = t.integration_id)`.as('integration_kind'),
    )
    .where('t.org_id', '=', orgId)
}

function fits(db: Db, { ids, isPrivate, url, origins, nameStart, createdFrom, hasProjects }: TargetFilters) {
  const parts = [sql<boolean>`1 = 1`]
  if (ids?.length) parts.push(sql`t.id in (${sql.join([...ids])})`)
  if (isPrivate !== undefined) parts.push(sql`t.is_private = ${isPrivate ? 1 : 0}`)
  if (url !== undefined) parts.push(sql`t.url = ${url}`)
  if (origins !== undefined) parts.push(sql`t.origin in (${sql.join([...origins])})`)
  if (nameStart !== undefined) parts.push(beginsWith(db, 't.display_name', nameStart))
  if (createdFrom !== undefined) parts.push(sql`t.created_at >= ${createdFrom}`)
  if (hasProjects) {
    const own = db.selectFrom('projects as p').select('p.id').where(sql<boolean>`p.target_id = t.id`)
    parts.push(sql`exists ${own}`)
  }
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}

export async function listTargets(
  db: Db,
  { orgId, filters }: { orgId: string; filters: TargetFilters },
  window: Window,
): Promise<Page<TargetRow>> {
  return readPage(shownTargets(db, orgId).where(fits(db, filters)), targetsByAge, window)
}

export async function countTargets(db: Db, orgId: string, filters: TargetFilters): Promise<number> {
  return countRows(db.selectFrom('targets as t').where('t.org_id', '=', orgId).where(fits(db, filters)))
}

export async function getTarget(db: Db, orgId: string, id: string): Promise<TargetRow> {
  const row = await shownTargets(db, orgId).where('t.id', '=', id).executeTakeFirst()
  if (!row) throw notFound(`Target ${id}`)
  return row
}

export async function countProjectsOf(db: Db, targetId: string): Promise<number> {
  return countRows(db.selectFrom('projects').where('target_id', '=', targetId))
}

/** Deletes a target and, by reference, its projects. */
export async function deleteTarget(tx: Db, orgId: string, { id, at }: { id: string; at: number }): Promise<void> {
  const projects = tx.selectFrom('projects').select('number').where('org_id', '=', orgId).where('target_id', '=', id)
  await forgetProjects(tx, projects, at)
  await tx.deleteFrom('targets').where('org_id', '=', orgId).where('id', '=', id).execute()
}
