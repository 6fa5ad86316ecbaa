import { sql } from 'kysely'
import type { StoredProject } from '#features/issue-index/recording/record-store.ts'
import type { Db } from '#foundation/db/database.ts'

export interface DueProject extends StoredProject {
  readonly integration_id: string | null
}

/** Lists organizations that have, or had, projects. */
export async function listOrgs(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('org_numbers').select('org_id').orderBy('number').execute()
  return rows.map(({ org_id }) => org_id)
}

/**
 * Claims the project of an organization that has been due the longest. It becomes due again at `retryAt` unless it is
 * tested before.
 */
export async function claimDue(
  db: Db,
  orgId: string,
  { now, retryAt }: { now: number; retryAt: number },
): Promise<DueProject | undefined> {
  const due = await db
    .selectFrom('projects as p')
    .innerJoin('targets as t', 't.id', 'p.target_id')
    .selectAll('p')
    .select('t.integration_id')
    .where('p.org_id', '=', orgId)
    .where('p.next_test_at', '<=', now)
    .orderBy('p.next_test_at')
    .limit(sql.lit(1))
    .executeTakeFirst()
  if (!due) return undefined
  const claimed = await db
    .updateTable('projects')
    .set({ next_test_at: retryAt })
    .where('number', '=', due.number)
    .where('next_test_at', '=', due.next_test_at)
    .returning('number')
    .executeTakeFirst()
  // Another process claimed it: try the next one.
  return claimed ? due : claimDue(db, orgId, { now, retryAt })
}

export async function listChangedPolicies(db: Db, after: number) {
  return db
    .selectFrom('license_policies')
    .select(['org_id', 'updated_at'])
    .where('updated_at', '>', after)
    .orderBy('updated_at')
    .execute()
}

export async function listNumbers(
  db: Db,
  { orgId, after, limit }: { orgId: string; after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('projects')
    .select('number')
    .where('org_id', '=', orgId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(sql.lit(limit))
    .execute()
  return rows.map(({ number }) => number)
}

export async function listWithRepositoryIgnores(
  db: Db,
  { orgId, after, limit }: { orgId: string; after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('ignores')
    .select('project_number')
    .distinct()
    .where('org_id', '=', orgId)
    .where('source', '=', sql.lit('repository'))
    .where('project_number', '>', after)
    .orderBy('project_number')
    .limit(sql.lit(limit))
    .execute()
  return rows.map(({ project_number }) => project_number)
}

const POLICIES_SEEN = 'projects.license-policies-seen'

export async function findPoliciesSeen(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', POLICIES_SEEN).executeTakeFirst()
  return row && Number(row.value)
}

export async function savePoliciesSeen(db: Db, at: number): Promise<void> {
  const value = String(at)
  await db
    .insertInto('settings')
    .values({ name: POLICIES_SEEN, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
