import { issuesOfProjects } from '#features/issue-index/counts/issues-store.ts'
import type { Db } from '#foundation/db/database.ts'

export type ExportedIssue = Awaited<ReturnType<typeof listExportedIssues>>[number]

/** Lists the vulnerabilities of a few projects, worst first. */
export async function listExportedIssues(db: Db, projectNumbers: readonly number[]) {
  return issuesOfProjects(db)
    .select(['pp.project_number', 'pp.is_direct'])
    .where('pp.project_number', 'in', projectNumbers)
    .execute()
}
