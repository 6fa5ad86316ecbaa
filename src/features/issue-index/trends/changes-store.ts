import { type Expression, type Insertable, type RawBuilder, sql } from 'kysely'
import { severities, toSeverityNumber } from '#analysis/findings/known-issue.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { noCounts } from '../severity-counts.ts'
import { toParts } from '../storage/packages-store.ts'
import { type CountsChange, type Measures, measureChange } from './issue-flow.ts'

export const DAY_MS = 86_400_000
/** Days for which the trend of a project is kept. */
export const KEPT_DAYS = 400

export function toDay(at: number): number {
  return Math.floor(at / DAY_MS)
}

interface ProjectLocation {
  readonly orgId: string
  readonly targetId: string
}

export interface ProjectChange extends CountsChange {
  readonly projectNumber: number
  readonly place: ProjectLocation
  /** The former place of a project that moves. */
  readonly movedFrom?: ProjectLocation | undefined
}

type ChangeRow = Insertable<Tables['trend_changes']>
type Measured = Measures & { readonly severity: number }

export const measureNames = ['change', 'opened', 'fixed', 'ignored', 'timed', 'fix_ms'] as const

/** Returns the columns of an existing row plus those of the inserted one. */
export function sums(table: string, columns: readonly string[]): Record<string, RawBuilder<number>> {
  return Object.fromEntries(
    columns.map((name) => [name, sql<number>`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`]),
  )
}

/**
 * Stores the changes of the issues of projects, in the transaction that changed their counts. The projects must be
 * locked.
 */
export async function addProjectChanges(tx: Db, changes: readonly ProjectChange[], at: number): Promise<void> {
  const day = toDay(at)
  const ofProjects = changes.flatMap((change) =>
    measured(change).map((row) => ({ project_number: change.projectNumber, day, ...row })),
  )
  await upsertProjectTrends(tx, ofProjects, day)
  const ofOrgs = changes.flatMap((change) => toOrgChanges(change).map((row) => ({ day, ...row })))
  for (const part of toParts(ofOrgs)) {
    await tx
      .insertInto('trend_changes')
      .values([...new Set(part)])
      .execute()
  }
}

function measured(change: CountsChange): Measured[] {
  return [...measureChange(change)].map(([severity, measures]) => ({
    severity: toSeverityNumber(severity),
    ...measures,
  }))
}

/**
 * Returns the changes of organizations. A project that moves adds its open issues to the new place and subtracts them
 * from the former one.
 */
function toOrgChanges(change: ProjectChange): Omit<ChangeRow, 'id' | 'day'>[] {
  const { place, movedFrom, before, after } = change
  const there = measured(movedFrom ? { before: noCounts, after } : change)
  const left = movedFrom ? measured({ before, after: noCounts }) : []
  return [
    ...there.map((row) => ({ org_id: place.orgId, target_id: place.targetId, ...row })),
    ...left.map((row) => ({ org_id: movedFrom!.orgId, target_id: movedFrom!.targetId, ...row })),
  ]
}

async function upsertProjectTrends(
  tx: Db,
  rows: readonly Insertable<Tables['project_trends']>[],
  day: number,
): Promise<void> {
  for (const part of toParts(rows)) {
    const own = [...new Set(part)]
    await tx
      .insertInto('project_trends')
      .values(own)
      .onConflict((conflict) =>
        conflict.columns(['project_number', 'day', 'severity']).doUpdateSet(sums('project_trends', measureNames)),
      )
      .execute()
    const numbers = [...new Set(own.map(({ project_number }) => project_number))]
    await tx
      .deleteFrom('project_trends')
      .where('project_number', 'in', numbers)
      .where('day', '<', day - KEPT_DAYS)
      .execute()
  }
}

/** Subtracts the open issues of projects from the trend before they are deleted. The projects must be locked. */
export async function addDeletions(tx: Db, projects: Expression<{ number: number }>, at: number): Promise<void> {
  for (const [index, severity] of severities.entries()) {
    const open = sql.ref(`c.${severity}`)
    await sql`insert into trend_changes (org_id, target_id, day, severity, change, opened, fixed, ignored, timed, fix_ms)
      select p.org_id, p.target_id, ${sql.lit(toDay(at))}, ${sql.lit(index + 1)}, -sum(${open}), 0, 0, 0, 0, 0
      from project_issue_counts c join projects p on p.number = c.project_number
      where p.number in ${projects} and ${open} > 0
      group by p.org_id, p.target_id`.execute(tx)
  }
}
