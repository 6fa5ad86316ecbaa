import type { ProjectRow } from '#features/projects/store.ts'
import type { Db } from '#foundation/db/database.ts'
import type { ExportedIssue } from './exported-issues-store.ts'

/** The owner of an issue, and the day until which it must be fixed; empty without one. */
export interface TriageColumns {
  readonly owner: string
  readonly due: string
}

const NONE: TriageColumns = { owner: '', due: '' }

/** Reads owners and due dates of the issues of a few projects of an organization. */
export async function readTriageColumns(
  _db: Db,
  _projects: readonly ProjectRow[],
): Promise<(issue: ExportedIssue) => TriageColumns> {
  return () => NONE
}
