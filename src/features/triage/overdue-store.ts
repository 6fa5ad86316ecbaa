import { sql } from 'kysely'
import type { GroupDetails } from '#features/issue-index/storage/group-details-store.ts'
import { policyDayOfGroup } from '#features/issue-index/triage/due-conditions-store.ts'
import type { SlaDays } from '#features/issue-index/triage/due-days.ts'
import type { Db } from '#foundation/db/database.ts'

/** Days of due dates, both inclusive. */
export interface DayRange {
  readonly from: number
  readonly until: number
}

/** A due date that passed, of the policy or set by a user for a place. */
export interface PassedDueDate {
  readonly issueId: string
  readonly title: string
  readonly severity: number
  readonly dueDay: number
  /** Empty for the policy. */
  readonly placeId: string
  readonly projectNumber: number | null
  readonly targetId: string | null
}

interface Row {
  readonly issue_id: string
  readonly severity: number
  readonly details: string
  readonly due_day: number
  readonly place_id: string
  readonly project_number: number | null
  readonly target_id: string | null
}

/** Lists organizations with an active webhook. */
export async function listOrgsWithWebhooks(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('webhooks').select('org_id').distinct().where('is_active', '=', 1).execute()
  return rows.map(({ org_id }) => org_id)
}

/** Lists due dates in the range that were not announced yet. */
export async function listPassed(
  db: Db,
  { orgId, sla, range: { from, until } }: { orgId: string; sla: SlaDays; range: DayRange },
): Promise<PassedDueDate[]> {
  const { rows } = await sql<Row>`
    select * from (
      select g.group_key as issue_id, g.severity, g.details, ${policyDayOfGroup(sla)} as due_day, '' as place_id,
        cast(null as bigint) as project_number, null as target_id
      from issue_groups g join org_numbers o on o.number = g.org_number
      where o.org_id = ${orgId} and g.kind = 'vulnerability' and g.projects > 0
        and ${policyDayOfGroup(sla)} between ${from} and ${until}
      union all
      select t.issue_id, g.severity, g.details, t.due_day, coalesce(p.id, r.id) as place_id, t.project_number, t.target_id
      from triaged_issues t
      left join projects p on p.number = t.project_number
      left join targets r on r.id = t.target_id
      join org_numbers o on o.org_id = ${orgId} and o.org_id = coalesce(p.org_id, r.org_id)
      join issue_groups g on g.org_number = o.number and g.kind = 'vulnerability' and g.group_key = t.issue_id
      where t.due_day between ${from} and ${until}
    ) as passed
    where not exists (
      select 1 from announced_due_days a where a.org_id = ${orgId} and a.issue_id = passed.issue_id
        and a.place_id = passed.place_id and a.due_day = passed.due_day)
    order by issue_id, place_id`.execute(db)
  return rows.map((row) => ({
    issueId: row.issue_id,
    title: (JSON.parse(row.details) as GroupDetails).title,
    severity: Number(row.severity),
    dueDay: Number(row.due_day),
    placeId: row.place_id,
    projectNumber: row.project_number === null ? null : Number(row.project_number),
    targetId: row.target_id,
  }))
}

export interface OverdueProject {
  readonly number: number
  readonly id: string
  readonly name: string
  readonly type: string
  readonly target_id: string
}

/**
 * Lists the projects to which a due date applies and in which the issue is open, oldest first. A date of the policy
 * does not apply where users set another.
 */
export async function listOverdueProjects(
  db: Db,
  orgId: string,
  { due, now }: { due: PassedDueDate; now: number },
): Promise<OverdueProject[]> {
  const { issueId, projectNumber, targetId } = due
  const ownDay = sql`select 1 from triaged_issues t where t.issue_id = ${issueId} and t.due_day is not null`
  const applies =
    projectNumber !== null
      ? sql`p.number = ${projectNumber}`
      : targetId !== null
        ? sql`p.target_id = ${targetId} and not exists (${ownDay} and t.project_number = p.number)`
        : sql`not exists (${ownDay} and t.project_number = p.number)
            and not exists (${ownDay} and t.target_id = p.target_id)`
  const { rows } = await sql<OverdueProject>`
    select distinct p.number, p.id, p.name, p.type, p.target_id
    from package_issues pi
    join project_packages pp on pp.package_number = pi.package_number
    join projects p on p.number = pp.project_number
    left join ignored_issues ii on ii.project_number = p.number and ii.issue_id = pi.issue_id
    where pi.issue_id = ${issueId} and p.org_id = ${orgId} and ${applies}
      and (ii.ignored_until is null or ii.ignored_until <= ${now})
    order by p.number`.execute(db)
  return rows
}

/** Records an announcement; returns false if it was recorded before. */
export async function recordPassed(
  tx: Db,
  orgId: string,
  { issueId, placeId, dueDay }: PassedDueDate,
): Promise<boolean> {
  const row = await tx
    .insertInto('announced_due_days')
    .values({ org_id: orgId, issue_id: issueId, place_id: placeId, due_day: dueDay })
    .onConflict((conflict) => conflict.doNothing())
    .returning('issue_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function forgetPassed(db: Db, before: number): Promise<void> {
  await db.deleteFrom('announced_due_days').where('due_day', '<', before).execute()
}
