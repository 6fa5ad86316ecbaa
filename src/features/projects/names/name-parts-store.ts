import { type SelectQueryBuilder, sql } from 'kysely'
import { findOrCreateOrgNumber, findOrgNumber } from '#features/issue-index/storage/packages-store.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { insertMissing } from '#foundation/db/insert-missing.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { lockRows } from '#foundation/db/transaction-lock.ts'
import { partsOf } from './name-parts.ts'

/** Must match the condition of the index `projects_by_unindexed_name` exactly. */
export const isUnindexed = sql<boolean>`(indexed_name is null or indexed_name <> name or indexed_org_id <> org_id)`

export type ProjectNumbers = SelectQueryBuilder<Tables, 'projects', { number: number }>

/** Stores the parts of up to `limit` names that are new or have changed. Returns the number of projects. */
export async function indexNames(db: Db, limit: number): Promise<number> {
  const due = await db
    .selectFrom('projects')
    .select('number')
    .where(isUnindexed)
    .orderBy('org_id')
    .orderBy('number')
    .limit(sql.lit(limit))
    .execute()
  if (due.length === 0) return 0
  const numbers = due.map(({ number }) => Number(number))
  await inTransaction(db, async (tx) => {
    const projects = tx.selectFrom('projects').select('number').where('number', 'in', numbers)
    await lockRows(tx, projects.orderBy('number').forUpdate())
    await removeNameParts(tx, projects)
    const projectRows = await tx
      .selectFrom('projects')
      .select(['number', 'name', 'org_id'])
      .where('number', 'in', numbers)
      .execute()
    const orgNumbers = new Map<string, number>()
    for (const { org_id } of projectRows) {
      if (!orgNumbers.has(org_id)) orgNumbers.set(org_id, await findOrCreateOrgNumber(tx, org_id))
    }
    const rows = projectRows.flatMap(({ number, name, org_id }) =>
      partsOf(name).map((part) => ({ org_number: orgNumbers.get(org_id)!, part, project_number: Number(number) })),
    )
    await insertMissing(tx, 'project_name_parts', rows)
    await tx
      .updateTable('projects')
      .set(({ ref }) => ({ indexed_name: ref('name'), indexed_org_id: ref('org_id') }))
      .where('number', 'in', numbers)
      .execute()
  })
  return numbers.length
}

/** Removes the stored parts of locked projects, before they are deleted or indexed again. */
export async function removeNameParts(tx: Db, projects: ProjectNumbers): Promise<void> {
  const indexed = await projects
    .clearSelect()
    .select(['number', 'indexed_name', 'indexed_org_id'])
    .where('indexed_name', 'is not', null)
    .execute()
  for (const { number, indexed_name, indexed_org_id } of indexed) {
    const orgNumber = await findOrgNumber(tx, indexed_org_id!)
    if (orgNumber === undefined) continue
    await tx
      .deleteFrom('project_name_parts')
      .where('org_number', '=', orgNumber)
      .where('part', 'in', partsOf(indexed_name!))
      .where('project_number', '=', Number(number))
      .execute()
  }
}
