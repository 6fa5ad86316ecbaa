import { type Selectable, sql } from 'kysely'
import { severities, toSeverityNumber } from '#analysis/findings/known-issue.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { lockRows } from '#foundation/db/transaction-lock.ts'
import { toParts } from '../storage/packages-store.ts'
import { measureNames, sums } from './changes-store.ts'
import type { Measures } from './issue-flow.ts'

type StoredChange = Selectable<Tables['trend_changes']>

/** Adds up to `limit` stored changes to the days of organizations and the counts of targets. Returns their number. */
export async function foldChanges(db: Db, limit: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const some = tx.selectFrom('trend_changes').select('id').orderBy('id').limit(sql.lit(limit))
    const rows = await tx.deleteFrom('trend_changes').where('id', 'in', some).returningAll().execute()
    const byDay = Map.groupBy(rows, ({ org_id, day, severity }) => `${org_id} ${day} ${severity}`)
    for (const own of byDay.values()) await addToDay(tx, own)
    await addToTargets(tx, rows)
    return rows.length
  })
}

async function addToDay(tx: Db, rows: readonly StoredChange[]): Promise<void> {
  const [{ org_id, day, severity }] = rows as readonly [StoredChange]
  const values = measureNames.map((name) => [name, rows.reduce((sum, row) => sum + Number(row[name]), 0)])
  await tx
    .insertInto('org_trends')
    .values({ org_id, day, severity, ...(Object.fromEntries(values) as Measures) })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'day', 'severity']).doUpdateSet(sums('org_trends', measureNames)),
    )
    .execute()
}

async function addToTargets(tx: Db, rows: readonly StoredChange[]): Promise<void> {
  const byTarget = Map.groupBy(rows, ({ target_id }) => target_id)
  for (const part of toParts([...byTarget.keys()])) {
    const targets = tx.selectFrom('targets').select(['id', 'org_id']).where('id', 'in', part).orderBy('id')
    // Lock the targets: a deleted one must not get a row again.
    await lockRows(tx, targets.forKeyShare())
    const values = (await targets.execute()).map(({ id, org_id }) => {
      const counts = severities.map((word) => [word, sumOf(byTarget.get(id)!, toSeverityNumber(word))])
      return {
        target_id: id,
        org_id,
        ...(Object.fromEntries(counts) as Record<(typeof severities)[number], number>),
      }
    })
    if (values.length === 0) continue
    await tx
      .insertInto('target_issue_counts')
      .values(values)
      .onConflict((conflict) => conflict.column('target_id').doUpdateSet(sums('target_issue_counts', severities)))
      .execute()
  }
}

function sumOf(rows: readonly StoredChange[], severity: number): number {
  return rows.reduce((sum, row) => sum + (Number(row.severity) === severity ? Number(row.change) : 0), 0)
}
