import { toSeverityNumber } from '#analysis/findings/known-issue.ts'
import { findSla } from '#features/issue-index/triage/sla-store.ts'
import {
  type DatedIssue,
  findDueDay,
  type IssueOfProject,
  readTriageOfProjects,
  type Triage,
  triageKey,
} from '#features/issue-index/triage/triage-store.ts'
import type { ProjectRow } from '#features/projects/store.ts'
import type { Db } from '#foundation/db/database.ts'
import type { ProjectIssue } from './project-issues.ts'

export type TriageReader = (issue: IssueOfProject, dated: DatedIssue) => Triage

/** Reads assignees and due days of the issues of a few projects of an organization, those of its SLA policy included. */
export async function readProjectTriage(
  db: Db,
  orgId: string,
  projectNumbers: readonly number[],
): Promise<TriageReader> {
  const [triage, sla] = [await readTriageOfProjects(db, orgId, projectNumbers), await findSla(db, orgId)]
  return (issue, dated) => {
    const ofUsers = triage.get(triageKey(issue))
    const dueDay = findDueDay(ofUsers, sla, dated)
    return { ...ofUsers, ...(dueDay !== undefined && { dueDay }) }
  }
}

/** Does the same for one project. License issues have neither assignees nor due dates. */
export async function readTriageOfProject(
  db: Db,
  { number, org_id }: Pick<ProjectRow, 'number' | 'org_id'>,
): Promise<(issue: Pick<ProjectIssue, 'id' | 'type' | 'severity' | 'facts' | 'knownSince'>) => Triage> {
  const triageOf = await readProjectTriage(db, org_id, [number])
  return ({ id, type, severity, facts, knownSince }) =>
    type === 'license'
      ? {}
      : triageOf(
          { project_number: number, issue_id: id },
          {
            severity: toSeverityNumber(severity),
            isExploited: facts?.isExploited === true,
            since: knownSince,
          },
        )
}
