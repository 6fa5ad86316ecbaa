import { type Selectable, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type StateRow = Selectable<Tables['project_states']>
export type TestRow = Selectable<Tables['project_tests']>

export const KEPT_TESTS = 100

export async function findState(db: Db, projectNumber: number): Promise<StateRow | undefined> {
  return db.selectFrom('project_states').selectAll().where('project_number', '=', projectNumber).executeTakeFirst()
}

/** Stores the state of a project. Without `source` the stored one stays. */
export async function saveState(
  tx: Db,
  { source, ...state }: Omit<StateRow, 'source'> & { readonly source: Uint8Array | undefined },
): Promise<void> {
  const { project_number: _, ...changed } = state
  await tx
    .insertInto('project_states')
    .values({ ...state, source: source ?? null })
    .onConflict((conflict) =>
      conflict.column('project_number').doUpdateSet({ ...changed, ...(source !== undefined && { source }) }),
    )
    .execute()
}

export async function findLastTest(db: Db, projectNumber: number): Promise<TestRow | undefined> {
  return db
    .selectFrom('project_tests')
    .selectAll()
    .where('project_number', '=', projectNumber)
    .orderBy('tested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst()
}

export async function addTest(tx: Db, test: TestRow): Promise<void> {
  await tx.insertInto('project_tests').values(test).execute()
  const oldest = await tx
    .selectFrom('project_tests')
    .select(['tested_at', 'id'])
    .where('project_number', '=', test.project_number)
    .orderBy('tested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(1))
    .offset(sql.lit(KEPT_TESTS - 1))
    .executeTakeFirst()
  if (!oldest) return
  await tx
    .deleteFrom('project_tests')
    .where('project_number', '=', test.project_number)
    .where(sql<boolean>`(tested_at, id) < (${oldest.tested_at}, ${oldest.id})`)
    .execute()
}
