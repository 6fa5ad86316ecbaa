import { sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { lowerAscii } from '#foundation/db/text-match.ts'
import { notFound } from '#foundation/problem.ts'

/** The place of a triaged issue: a project, or a repository with all of its projects. */
export interface TriagePlace {
  readonly kind: 'project' | 'target'
  readonly id: string
  readonly targetId: string
  readonly targetName: string
  /** Null for a repository. */
  readonly projectNumber: number | null
}

interface PlaceReference {
  readonly orgId: string
  /** Id of a project or target. */
  readonly id: string
}

export async function getPlace(db: Db, { orgId, id }: PlaceReference): Promise<TriagePlace> {
  const targets = db.selectFrom('targets as t').select(['t.id as targetId', 't.display_name as targetName'])
  const project = await targets
    .innerJoin('projects as p', 'p.target_id', 't.id')
    .select('p.number')
    .where('p.id', '=', id)
    .where('p.org_id', '=', orgId)
    .executeTakeFirst()
  if (project) return { ...project, kind: 'project', id, projectNumber: Number(project.number) }
  const target = await targets.where('t.id', '=', id).where('t.org_id', '=', orgId).executeTakeFirst()
  if (!target) throw notFound(`Project or target ${id}`)
  return { ...target, kind: 'target', id, projectNumber: null }
}

/** Locks a place: of two changes of its issues, the second sees the result of the first. */
export async function lockPlace(tx: Db, reference: PlaceReference): Promise<TriagePlace> {
  for (const table of ['projects', 'targets'] as const) {
    await tx
      .updateTable(table)
      .set((eb) => ({ created_at: eb.ref('created_at') }))
      .where('id', '=', reference.id)
      .where('org_id', '=', reference.orgId)
      .execute()
  }
  return getPlace(tx, reference)
}

/** Limits `p` and `pp` to the projects of a place. */
function inPlace({ projectNumber, targetId }: TriagePlace) {
  return projectNumber === null ? sql`p.target_id = ${targetId}` : sql`p.number = ${projectNumber}`
}

/** Limits rows of comments or triaged issues to those that users set for the place itself. */
export function ofPlace({ projectNumber, targetId }: TriagePlace) {
  return projectNumber === null
    ? sql<boolean>`target_id = ${targetId}`
    : sql<boolean>`project_number = ${projectNumber}`
}

/**
 * Returns the current id of a vulnerability of a place, named by any of its ids, or the id of one that the place had
 * and that was triaged. Throws 404 for others.
 */
export async function getIssueId(db: Db, place: TriagePlace, name: string): Promise<string> {
  const { rows } = await sql<{ issue_id: string }>`
    select distinct pi.issue_id from issue_aliases a
    join package_issues pi on pi.issue_id = a.issue_id
    join project_packages pp on pp.package_number = pi.package_number
    join projects p on p.number = pp.project_number
    where a.alias = ${lowerAscii(name)} and ${inPlace(place)}
    limit 50`.execute(db)
  const ids = rows.map(({ issue_id }) => issue_id)
  const exact = ids.find((id) => id === name)
  if (exact !== undefined || ids.length === 1) return exact ?? ids[0]!
  if (await isTriaged(db, place, name)) return name
  throw notFound(`The vulnerability ${name} of this ${place.kind === 'project' ? 'project' : 'repository'}`)
}

async function isTriaged(db: Db, place: TriagePlace, issueId: string): Promise<boolean> {
  for (const table of ['triaged_issues', 'issue_comments'] as const) {
    const query = db.selectFrom(table).select('id').where(ofPlace(place)).where('issue_id', '=', issueId)
    if (await query.limit(sql.lit(1)).executeTakeFirst()) return true
  }
  return false
}

export interface IssueInPlace {
  readonly severity: number
  readonly isExploited: boolean
  /** Time since which the first project of the place has it. */
  readonly since: number
}

/** Returns undefined if the place no longer has the issue. */
export async function findIssue(db: Db, place: TriagePlace, issueId: string): Promise<IssueInPlace | undefined> {
  const { rows } = await sql<{ severity: number | null; since: number; is_exploited: number | null }>`
    select max(oi.severity) as severity, max(g.is_exploited) as is_exploited,
      min(case when oi.known_since > p.created_at then oi.known_since else p.created_at end) as since
    from package_issues pi
    join project_packages pp on pp.package_number = pi.package_number
    join projects p on p.number = pp.project_number
    join org_issues oi on oi.org_number = pp.org_number and oi.package_number = pi.package_number
      and oi.issue_id = pi.issue_id
    left join issue_groups g on g.org_number = oi.org_number and g.kind = 'vulnerability' and g.group_key = oi.issue_id
    where pi.issue_id = ${issueId} and ${inPlace(place)}`.execute(db)
  const [row] = rows
  if (!row || row.severity === null) return undefined
  return { severity: Number(row.severity), isExploited: Number(row.is_exploited) === 1, since: Number(row.since) }
}
