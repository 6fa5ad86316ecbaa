import { sql } from 'kysely'
import { toDay } from '#features/issue-index/trends/changes-store.ts'
import type { Db } from '#foundation/db/database.ts'

/** Days between the points of a sparkline, and the days that it covers. */
export const STEP_DAYS = 3
export const SPARKLINE_DAYS = 90
const POINTS = SPARKLINE_DAYS / STEP_DAYS + 1

/**
 * Rows of the query besides those of steps: the current number of open issues, and the creation of the oldest project.
 */
const CURRENT = -1
const CREATED = -2

interface Wanted {
  readonly orgId: string
  readonly by: 'repository' | 'project'
  readonly ids: readonly string[]
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Reads the number of open issues of each repository or project, every third day up to today. Omits days before the
 * first project, and ids that do not exist.
 */
export async function readSparklines(db: Db, { orgId, by, ids, now }: Wanted): Promise<Record<string, number[]>> {
  const today = toDay(now)
  const id = sql.ref(by === 'repository' ? 'target_id' : 'id')
  const { rows } = await sql<{ id: string; step: number; change: number }>`
    with own as (
      select number, ${id} as id, created_at from projects
      where org_id = ${orgId} and ${id} in (${sql.join([...ids])})
    )
    select id, step, sum(change) as change from (
      select o.id, ${sql.lit(CURRENT)} as step, c.critical + c.high + c.medium + c.low as change
      from own o join project_issue_counts c on c.project_number = o.number
      union all
      select o.id, (${sql.lit(today)} - t.day) / ${sql.lit(STEP_DAYS)}, t.change
      from own o join project_trends t on t.project_number = o.number
      where t.day > ${sql.lit(today - SPARKLINE_DAYS)}
      union all
      select id, ${sql.lit(CREATED)}, min(created_at) from own group by id
    ) as t group by id, step`.execute(db)
  const lines = [...Map.groupBy(rows, (row) => row.id)].map(([owner, own]) => {
    const changes = new Map(own.map(({ step, change }) => [Number(step), Number(change)]))
    return [owner, toLevels(changes, today)] as const
  })
  return Object.fromEntries(lines)
}

function toLevels(changes: ReadonlyMap<number, number>, today: number): number[] {
  const since = toDay(changes.get(CREATED)!)
  const levels = [changes.get(CURRENT) ?? 0]
  for (let step = 1; step < POINTS && today - step * STEP_DAYS >= since; step++) {
    levels.push(levels.at(-1)! - (changes.get(step - 1) ?? 0))
  }
  return levels.reverse()
}
