import type { Selectable } from 'kysely'
import { countRows } from '#foundation/db/count-rows.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type TestRow = Selectable<Tables['project_tests']>

export async function listTests(
  db: Db,
  projectNumber: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<TestRow[]> {
  return db
    .selectFrom('project_tests')
    .selectAll()
    .where('project_number', '=', projectNumber)
    .orderBy('tested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countTests(db: Db, projectNumber: number): Promise<number> {
  return countRows(db.selectFrom('project_tests').where('project_number', '=', projectNumber))
}

export async function findTest(db: Db, projectNumber: number, id: string): Promise<TestRow | undefined> {
  return db
    .selectFrom('project_tests')
    .selectAll()
    .where('project_number', '=', projectNumber)
    .where('id', '=', id)
    .executeTakeFirst()
}
