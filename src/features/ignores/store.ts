import type { RuleEffect } from '#analysis/findings/ignore-rules.ts'
import type { IgnoreRow, IgnoreSource } from '#features/issue-index/ignores/ignored-store.ts'
import { countRows } from '#foundation/db/count-rows.ts'
import type { Db } from '#foundation/db/database.ts'
import { byAge, type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import { notFound } from '#foundation/problem.ts'

/**
 * Locks a project: of two changes of its ignores, or of a change and a test, the second sees the result of the first.
 */
export async function lockIgnoringProject(tx: Db, orgId: string, id: string): Promise<number> {
  const row = await tx
    .updateTable('projects')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .where('org_id', '=', orgId)
    .returning('number')
    .executeTakeFirst()
  if (!row) throw notFound(`Project ${id}`)
  return row.number
}

export async function getIgnorePlace(
  db: Db,
  orgId: string,
  id: string,
): Promise<{ projectId: string; issueId: string }> {
  const row = await db
    .selectFrom('ignores as i')
    .innerJoin('projects as p', 'p.number', 'i.project_number')
    .select(['p.id as projectId', 'i.issue_id as issueId'])
    .where('i.id', '=', id)
    .where('p.org_id', '=', orgId)
    .executeTakeFirst()
  if (!row) throw notFound(`Ignore ${id}`)
  return row
}

/** Counts the ignores that users created. */
export async function countIgnores(tx: Db, projectNumber: number): Promise<number> {
  return countRows(tx.selectFrom('ignores').where('project_number', '=', projectNumber).where('source', '=', 'user'))
}

export interface OrgIgnoreRow extends IgnoreRow {
  readonly project_id: string
  readonly project_name: string
}

export interface IgnoreFilters {
  readonly projectId?: string | undefined
  readonly issueId?: string | undefined
  readonly source?: IgnoreSource | undefined
  readonly state?: 'active' | 'stale' | 'expired' | undefined
  readonly now: number
}

export const ignoresByAge: Keyset<OrgIgnoreRow> = byAge('i')

const APPLIES: RuleEffect = 'applies'

export async function listOrgIgnores(db: Db, input: WantedIgnores, window: Window): Promise<Page<OrgIgnoreRow>> {
  const query = orgIgnores(db, input).selectAll('i').select(['p.id as project_id', 'p.name as project_name'])
  return readPage(query, ignoresByAge, window)
}

export async function countOrgIgnores(db: Db, input: WantedIgnores): Promise<number> {
  return countRows(orgIgnores(db, input))
}

interface WantedIgnores {
  readonly orgId: string
  readonly filters: IgnoreFilters
}

/** Both tables are filtered by organization: ignores for their index, projects because they may have moved. */
function orgIgnores(db: Db, { orgId, filters }: WantedIgnores) {
  const { projectId, issueId, source, state, now } = filters
  let query = db
    .selectFrom('ignores as i')
    .innerJoin('projects as p', 'p.number', 'i.project_number')
    .where('i.org_id', '=', orgId)
    .where('p.org_id', '=', orgId)
  if (projectId !== undefined) query = query.where('p.id', '=', projectId)
  if (issueId !== undefined) query = query.where('i.issue_id', '=', issueId)
  if (source !== undefined) query = query.where('i.source', '=', source)
  if (state === 'active') {
    query = query
      .where('i.effect', '=', APPLIES)
      .where(({ eb, or }) => or([eb('i.expires_at', 'is', null), eb('i.expires_at', '>', now)]))
  }
  if (state === 'expired') query = query.where('i.expires_at', '<=', now)
  if (state === 'stale') {
    query = query.where(({ eb, or }) => or([eb('i.effect', '<>', APPLIES), eb('i.expires_at', '<=', now)]))
  }
  return query
}
