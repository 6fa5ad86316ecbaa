import type { Selectable } from 'kysely'
import { type RawBuilder, sql } from 'kysely'
import { KEPT_DAYS, toDay } from '#features/issue-index/trends/changes-store.ts'
import type { Measures } from '#features/issue-index/trends/issue-flow.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export interface TrendRow extends Measures {
  /** Days since 1970 in UTC. */
  readonly day: number
  /** 1 (low) to 4 (critical). */
  readonly severity: number
}

export interface Trend {
  /** The first day with data. */
  readonly since: number
  /** Sums of each day and severity; the day before the first one has the sums of all days before. */
  readonly rows: readonly TrendRow[]
}

/** Reads the days `from` to `to` of an organization, including changes that are not yet added. */
export async function readOrgTrend(db: Db, orgId: string, { from, to, now }: TrendRange): Promise<Trend> {
  const source = sql`
    select day, severity, change, opened, fixed, ignored, timed, fix_ms from org_trends where org_id = ${orgId}
    union all
    select day, severity, change, opened, fixed, ignored, timed, fix_ms from trend_changes where org_id = ${orgId}`
  const first = await sql<{ day: number | null }>`select min(day) as day from (${source}) as t`.execute(db)
  return { since: Number(first.rows[0]?.day ?? toDay(now)), rows: await readDays(db, source, { from, to }) }
}

interface TrendRange {
  readonly from: number
  readonly to: number
  /** Epoch milliseconds. */
  readonly now: number
}

type TrendProject = Pick<Selectable<Tables['projects']>, 'number' | 'created_at'>

/**
 * Reads the days `from` to `to` of a project. Days are kept for a limited time, so the trend is computed backward from
 * the current counts.
 */
export async function readProjectTrend(db: Db, project: TrendProject, { from, to, now }: TrendRange): Promise<Trend> {
  const { number } = project
  const counts = (['low', 'medium', 'high', 'critical'] as const).map(
    (name, at) => sql`
      select -1 as day, ${sql.lit(at + 1)} as severity, ${sql.ref(name)} as change, 0 as opened, 0 as fixed, 0 as ignored,
        0 as timed, 0 as fix_ms
      from project_issue_counts where project_number = ${number}`,
  )
  const source = sql`${sql.join(counts, sql` union all `)}
    union all
    select -1, severity, -change, 0, 0, 0, 0, 0 from project_trends where project_number = ${number}
    union all
    select day, severity, change, opened, fixed, ignored, timed, fix_ms from project_trends
      where project_number = ${number}`
  const since = Math.max(toDay(Number(project.created_at)), toDay(now) - KEPT_DAYS)
  return { since, rows: await readDays(db, source, { from, to }) }
}

async function readDays(
  db: Db,
  source: RawBuilder<unknown>,
  { from, to }: { from: number; to: number },
): Promise<TrendRow[]> {
  const { rows } = await sql<TrendRow>`
    select case when day < ${sql.lit(from)} then ${sql.lit(from - 1)} else day end as day, severity,
      sum(change) as change, sum(opened) as opened, sum(fixed) as fixed, sum(ignored) as ignored, sum(timed) as timed,
      sum(fix_ms) as fix_ms
    from (${source}) as t where day <= ${sql.lit(to)} group by 1, 2`.execute(db)
  return rows
}
