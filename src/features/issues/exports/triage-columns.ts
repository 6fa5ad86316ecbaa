import type { Db } from '#foundation/db/database.ts'
import type { ExportedIssue } from './exported-issues-store.ts'

/** The owner of an issue, and the day until which it must be fixed; empty without one. */
export interface TriageColumns {
  readonly owner: string
  readonly due: string
}

export interface DatedIssue extends Pick<ExportedIssue, 'project_number' | 'issue_id' | 'severity'> {
  readonly isExploited: boolean
  /** Time since which the project has it, epoch milliseconds; 0 if unknown. */
  readonly since: number
}

export type FindTriage = (issue: DatedIssue) => TriageColumns

/** Reads owners and due dates of issues of an organization. */
export async function readTriageColumns(
  _db: Db,
  _orgId: string,
  _issues: readonly ExportedIssue[],
): Promise<FindTriage> {
  return () => ({ owner: '', due: '' })
}
