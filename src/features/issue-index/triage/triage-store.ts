import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { toParts } from '../storage/packages-store.ts'
import { daysFor, type SlaDays, toDay } from './due-days.ts'

export interface Assignee {
  readonly id: string
  /** The current name, or after a deletion the last one. */
  readonly name: string
  readonly isMember: boolean
}

/** Assignee and due day that users set for an issue of a project, in the project or else in its repository. */
export interface Triage {
  readonly assignee?: Assignee
  readonly dueDay?: number
}

interface TriageRow {
  readonly project_number: number
  readonly issue_id: string
  readonly of_project: number
  readonly assignee_id: string | null
  readonly assignee_name: string | null
  readonly is_member: number
  readonly due_day: number | null
}

export type IssueOfProject = { readonly project_number: number; readonly issue_id: string }

export function triageKey({ project_number, issue_id }: IssueOfProject): string {
  return `${project_number} ${issue_id}`
}

/** Reads what users set for issues of an organization's projects, by `triageKey`. */
export async function readTriage(
  db: Db,
  orgId: string,
  issues: readonly IssueOfProject[],
): Promise<ReadonlyMap<string, Triage>> {
  if (issues.length === 0) return new Map()
  const numbers = [...new Set(issues.map(({ project_number }) => Number(project_number)))]
  const issueIds = [...new Set(issues.map(({ issue_id }) => issue_id))]
  return read(db, orgId, { numbers, isListed: sql`t.issue_id in (${sql.join(issueIds)})` })
}

/** The same for all issues of a few projects. */
export function readTriageOfProjects(
  db: Db,
  orgId: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<string, Triage>> {
  return read(db, orgId, { numbers, isListed: sql`1 = 1` })
}

async function read(
  db: Db,
  orgId: string,
  { numbers, isListed }: { numbers: readonly number[]; isListed: RawBuilder<unknown> },
): Promise<ReadonlyMap<string, Triage>> {
  const columns = columnsFor(orgId)
  const { rows } = await sql<TriageRow>`
    select t.project_number, 1 as of_project, ${columns} from triaged_issues t
    left join users u on u.id = t.assignee_id
    where t.project_number in (${sql.join(numbers)}) and ${isListed}
    union all
    select p.number as project_number, 0 as of_project, ${columns} from projects p
    join triaged_issues t on t.target_id = p.target_id and ${isListed}
    left join users u on u.id = t.assignee_id
    where p.number in (${sql.join(numbers)})
    order by of_project desc`.execute(db)
  const triage = new Map<string, Triage>()
  for (const row of rows) triage.set(triageKey(row), { ...toTriage(row), ...triage.get(triageKey(row)) })
  return triage
}

/** Reads what users set for an issue of a whole repository. */
export async function readTargetTriage(
  db: Db,
  orgId: string,
  { targetId, issueId }: { targetId: string; issueId: string },
): Promise<Triage> {
  const { rows } = await sql<TriageRow>`
    select ${columnsFor(orgId)} from triaged_issues t left join users u on u.id = t.assignee_id
    where t.target_id = ${targetId} and t.issue_id = ${issueId}`.execute(db)
  return rows[0] ? toTriage(rows[0]) : {}
}

function columnsFor(orgId: string) {
  return sql`t.issue_id, t.assignee_id, coalesce(u.name, t.assignee_name) as assignee_name, t.due_day,
    case when exists (
      select 1 from memberships m join orgs o on o.group_id = m.group_id
      where m.principal_kind = 'user' and m.principal_id = t.assignee_id and o.id = ${orgId}
        and (m.org_id = o.id or m.org_id is null)) then 1 else 0 end as is_member`
}

function toTriage({ assignee_id: id, assignee_name, is_member, due_day }: TriageRow): Triage {
  return {
    ...(id !== null && { assignee: { id, name: assignee_name ?? id, isMember: Number(is_member) === 1 } }),
    ...(due_day !== null && { dueDay: due_day }),
  }
}

export interface DatedIssue {
  /** From 1 (low) to 4 (critical). */
  readonly severity: number
  readonly isExploited: boolean
  /** Time since which the project has it. */
  readonly since: number | undefined
}

/** Returns the day on which an issue is due: the one that users set, else that of the policy. */
export function findDueDay(triage: Triage | undefined, sla: SlaDays, issue: DatedIssue): number | undefined {
  if (triage?.dueDay !== undefined) return triage.dueDay
  const days = daysFor(sla, issue.severity, issue)
  return days === undefined || issue.since === undefined ? undefined : toDay(issue.since) + days
}

const tables = ['triaged_issues', 'issue_comments'] as const

/** Moves what users set and wrote to the new ids of vulnerabilities of which another record was published. */
export async function followRenames(tx: Db, renames: ReadonlyMap<string, string>): Promise<void> {
  for (const part of toParts([...renames.keys()])) {
    for (const table of tables) {
      const rows = await tx.selectFrom(table).select('issue_id').distinct().where('issue_id', 'in', part).execute()
      for (const { issue_id } of rows) await rename(tx, table, { from: issue_id, to: renames.get(issue_id)! })
    }
  }
}

async function rename(
  tx: Db,
  table: (typeof tables)[number],
  { from, to }: { from: string; to: string },
): Promise<void> {
  // The members set for the new record win.
  if (table === 'triaged_issues') {
    await sql`delete from triaged_issues where issue_id = ${from} and exists (
      select 1 from triaged_issues other where other.issue_id = ${to}
        and (other.project_number = triaged_issues.project_number or other.target_id = triaged_issues.target_id)
    )`.execute(tx)
  }
  await tx.updateTable(table).set({ issue_id: to }).where('issue_id', '=', from).execute()
}
