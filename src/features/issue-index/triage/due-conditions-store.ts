import { type RawBuilder, sql } from 'kysely'
import { severities } from '#analysis/findings/known-issue.ts'
import { daysFor, type SlaDays, SOON_DAYS } from './due-days.ts'

/** Issues due on days in a range, both inclusive. */
export interface DueFilter {
  readonly from: number
  readonly until: number
  readonly sla: SlaDays
}

const FIRST_DAY = 0
/** Days that no policy reaches. */
const NEVER = 1_000_000

export function overdue(sla: SlaDays, today: number): DueFilter {
  return { from: FIRST_DAY, until: today - 1, sla }
}

export function dueSoon(sla: SlaDays, today: number): DueFilter {
  return { from: today, until: today + SOON_DAYS, sla }
}

/** Filters of issues by what users set for them. */
export interface TriageFilters {
  readonly due?: DueFilter | undefined
  readonly assigneeId?: string | undefined
}

type Parameters = Readonly<Record<string, unknown>>

/** Returns the parameters of the conditions below. */
export function triageValues({ due, assigneeId }: TriageFilters): Parameters {
  const days =
    due && [false, true].flatMap((isExploited) => severities.map((_, at) => daysFor(due.sla, at + 1, { isExploited })))
  return {
    ...(assigneeId !== undefined && { assigneeId }),
    ...(due && { dueFrom: due.from, dueUntil: due.until }),
    ...(days && Object.fromEntries(days.map((days, at) => [`sla${at}`, days ?? NEVER]))),
  }
}

/** Conditions on `oi`, an issue of a package in an organization: false only if no project can meet the filters. */
export function issueConditions(parameters: Parameters): RawBuilder<boolean>[] {
  const { assigneeId, dueUntil } = parameters
  const conditions = []
  if (assigneeId !== undefined) {
    conditions.push(
      sql<boolean>`oi.issue_id in (select issue_id from triaged_issues where assignee_id = ${assigneeId})`,
    )
  }
  if (dueUntil !== undefined) {
    conditions.push(sql<boolean>`(${toDay(sql`oi.known_since`)} + ${policyDays(parameters, ofIssue)} <= ${dueUntil}
      or oi.issue_id in (select issue_id from triaged_issues where due_day is not null))`)
  }
  return conditions
}

/** Conditions on `oi` in the project `p`. */
export function projectConditions(parameters: Parameters, columns = ofIssue): RawBuilder<boolean>[] {
  const { assigneeId, dueFrom, dueUntil } = parameters
  const conditions = []
  if (assigneeId !== undefined) conditions.push(sql<boolean>`${setByUsers('assignee_id')} = ${assigneeId}`)
  if (dueFrom !== undefined) {
    const since = sql`case when oi.known_since > p.created_at then oi.known_since else p.created_at end`
    const day = sql`coalesce(${setByUsers('due_day')}, ${toDay(since)} + ${policyDays(parameters, columns)})`
    conditions.push(sql<boolean>`${day} between ${dueFrom} and ${dueUntil}`)
  }
  return conditions
}

/**
 * Conditions on `g`, a vulnerability of an organization. Without due dates set by users, a vulnerability is due by the
 * time since which the organization has it; with them, by those of its projects.
 */
export function groupConditions(filters: TriageFilters, now: number): RawBuilder<boolean>[] {
  const conditions = []
  if (filters.assigneeId !== undefined) {
    const assignee = triageValues({ assigneeId: filters.assigneeId })
    conditions.push(sql<boolean>`g.group_key in (
      select issue_id from triaged_issues where assignee_id = ${filters.assigneeId}) and ${inProject(assignee)}`)
  }
  if (filters.due) {
    const isOpen = sql`(ii.ignored_until is null or ii.ignored_until <= ${now})`
    conditions.push(sql<boolean>`(g.projects > 0 or g.is_stale = 1) and case
      when g.group_key in (select issue_id from triaged_issues where due_day is not null)
      then ${inProject(triageValues({ due: filters.due }), isOpen)}
      else ${policyDayOfGroup(filters.due.sla)} between ${filters.due.from} and ${filters.due.until} end`)
  }
  return conditions
}

/** Returns the day on which the policy wants `g` fixed, as SQL. */
export function policyDayOfGroup(sla: SlaDays) {
  const values = triageValues({ due: overdue(sla, FIRST_DAY) })
  return sql<number>`${toDay(sql`g.known_since`)} + ${policyDays(values, ofGroup)}`
}

function inProject(values: Parameters, isOpen = sql`1 = 1`) {
  return sql`exists (
    select 1 from package_issues pi
    join project_packages pp on pp.package_number = pi.package_number and pp.org_number = g.org_number
    join projects p on p.number = pp.project_number
    join org_issues oi on oi.org_number = g.org_number and oi.package_number = pi.package_number
      and oi.issue_id = pi.issue_id
    left join ignored_issues ii on ii.project_number = p.number and ii.issue_id = pi.issue_id
    where pi.issue_id = g.group_key and ${isOpen}
      and ${sql.join(projectConditions(values, { severity: sql`oi.severity`, isExploited: sql`g.is_exploited` }), sql` and `)})`
}

/** A member of the project's issue, else that of the repository. */
function setByUsers(column: 'assignee_id' | 'due_day') {
  const value = sql.ref(`t.${column}`)
  return sql`coalesce(
    (select ${value} from triaged_issues t where t.project_number = p.number and t.issue_id = oi.issue_id),
    (select ${value} from triaged_issues t where t.target_id = p.target_id and t.issue_id = oi.issue_id))`
}

interface Columns {
  readonly severity: RawBuilder<unknown>
  readonly isExploited: RawBuilder<unknown>
}

const ofGroup: Columns = { severity: sql`g.severity`, isExploited: sql`g.is_exploited` }
const ofIssue: Columns = {
  severity: sql`oi.severity`,
  isExploited: sql`(select g.is_exploited from issue_groups g
    where g.org_number = oi.org_number and g.kind = 'vulnerability' and g.group_key = oi.issue_id)`,
}

function policyDays(parameters: Parameters, { severity, isExploited }: Columns) {
  const bySeverity = (first: number) => {
    const days = severities.map(
      (_, at) => sql`when ${sql.lit(at + 1)} then cast(${parameters[`sla${first + at}`]} as integer)`,
    )
    return sql`case ${severity} ${sql.join(days, sql` `)} end`
  }
  return sql`case when ${isExploited} = 1 then ${bySeverity(severities.length)} else ${bySeverity(0)} end`
}

/** Both engines divide integers without a fraction. */
function toDay(time: RawBuilder<unknown>) {
  return sql`(${time}) / 86400000`
}
