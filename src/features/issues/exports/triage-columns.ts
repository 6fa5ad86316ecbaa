import { writeDay } from '#features/issue-index/triage/due-days.ts'
import { findSla } from '#features/issue-index/triage/sla-store.ts'
import {
  type DatedIssue,
  findDueDay,
  readTriageOfProjects,
  triageKey,
} from '#features/issue-index/triage/triage-store.ts'
import type { ProjectRow } from '#features/projects/store.ts'
import type { Db } from '#foundation/db/database.ts'
import type { ExportedIssue } from './exported-issues-store.ts'

/** The owner of an issue, and the day until which it must be fixed; empty without one. */
export interface TriageColumns {
  readonly owner: string
  readonly due: string
}

/** Reads owners and due dates of the issues of a few projects of an organization. */
export async function readTriageColumns(
  db: Db,
  orgId: string,
  projects: readonly ProjectRow[],
): Promise<(issue: ExportedIssue, dated: DatedIssue) => TriageColumns> {
  const numbers = projects.map(({ number }) => Number(number))
  const [triage, sla] = [await readTriageOfProjects(db, orgId, numbers), await findSla(db, orgId)]
  return (issue, dated) => {
    const ofUsers = triage.get(triageKey(issue))
    const day = findDueDay(ofUsers, sla, dated)
    return { owner: ofUsers?.assignee?.name ?? '', due: day === undefined ? '' : writeDay(day) }
  }
}
