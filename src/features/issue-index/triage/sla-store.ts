import type { Db } from '#foundation/db/database.ts'
import { prepared } from '#foundation/db/prepared.ts'
import { andThen, type MaybePromise } from '#foundation/maybe-promise.ts'
import { NO_SLA, type SlaDays } from './due-days.ts'

const slaOfOrg = prepared((db: Db, { orgId }: { orgId: string }) =>
  db.selectFrom('sla_policies').selectAll().where('org_id', '=', orgId),
)

export interface StoredSla extends SlaDays {
  /** Null if it was never changed. */
  readonly updatedAt: number | null
}

export function findSla(db: Db, orgId: string): MaybePromise<StoredSla> {
  return andThen(slaOfOrg(db, { orgId }), ([row]) =>
    row
      ? {
          critical: row.critical_days,
          high: row.high_days,
          medium: row.medium_days,
          low: row.low_days,
          exploited: row.exploited_days,
          updatedAt: Number(row.updated_at),
        }
      : { ...NO_SLA, updatedAt: null },
  )
}

export async function saveSla(tx: Db, orgId: string, { days, at }: { days: SlaDays; at: number }): Promise<void> {
  const columns = {
    critical_days: days.critical,
    high_days: days.high,
    medium_days: days.medium,
    low_days: days.low,
    exploited_days: days.exploited,
    updated_at: at,
  }
  await tx
    .insertInto('sla_policies')
    .values({ org_id: orgId, ...columns })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet(columns))
    .execute()
}
