import { sql } from 'kysely'
import { dueSoon, groupConditions, overdue } from '#features/issue-index/triage/due-conditions-store.ts'
import { toDay } from '#features/issue-index/triage/due-days.ts'
import { findSla } from '#features/issue-index/triage/sla-store.ts'
import type { Db } from '#foundation/db/database.ts'

/**
 * Counts vulnerabilities of an organization with issues that are overdue, or due soon, as the list of groups filters
 * them. Null if neither the policy nor users set due dates.
 */
export async function countDue(db: Db, orgId: string, now: number): Promise<{ overdue: number; soon: number } | null> {
  const sla = await findSla(db, orgId)
  const hasPolicy = [sla.critical, sla.high, sla.medium, sla.low, sla.exploited].some((days) => days !== null)
  const counted = (due: ReturnType<typeof overdue>) =>
    sql`coalesce(sum(case when ${sql.join(groupConditions({ due }, now), sql` and `)} then 1 else 0 end), 0)`
  const handSet = sql`g.group_key in (select issue_id from triaged_issues where due_day is not null)`
  const today = toDay(now)
  const { rows } = await sql<{ groups: number; overdue: number; soon: number }>`
    select count(*) as groups, ${counted(overdue(sla, today))} as overdue, ${counted(dueSoon(sla, today))} as soon
    from issue_groups g join org_numbers o on o.number = g.org_number
    where o.org_id = ${orgId} and g.kind = 'vulnerability' ${hasPolicy ? sql`` : sql`and ${handSet}`}`.execute(db)
  const { groups, overdue: passed, soon } = rows[0]!
  if (!hasPolicy && Number(groups) === 0) return null
  return { overdue: Number(passed), soon: Number(soon) }
}
