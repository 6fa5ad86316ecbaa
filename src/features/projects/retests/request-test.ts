import { type OrgChange, recordAudit } from '#foundation/audit/record.ts'
import { makeJobsDue } from '#foundation/jobs/store.ts'
import { Problem } from '#foundation/problem.ts'
import { lockProject, updateProject } from '../store.ts'

export const RETEST_PROJECTS = 'retest-projects'

/** Makes a project due now, whatever its frequency. Throws 409 for an inactive one. */
export async function requestTest(change: OrgChange, id: string): Promise<void> {
  const { tx, org, at } = change
  const project = await lockProject(tx, org.id, { id, at })
  if (project.status !== 'active') {
    throw new Problem('conflict', 'The project is inactive. Activate it to test it again.')
  }
  await updateProject(tx, id, { next_test_at: at })
  await recordAudit(change, { id: project.id, org: change.org }, { action: 'project.test' })
  await makeJobsDue(tx, RETEST_PROJECTS, at)
}
