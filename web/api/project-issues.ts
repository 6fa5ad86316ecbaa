import { type Answer, call } from './client.ts'

type Severity = ProjectIssue['issueData']['severity']

export type ProjectIssue = Answer<'listAggregatedIssuesV1'>['issues'][number]
export type IssuePaths = Answer<'listIssuePathsV1'>
export type IssuePath = IssuePaths['paths'][number]

type Listed = Answer<'listAggregatedIssuesV1'>

/** A page of a project's current issues, with counts by severity. */
export interface ProjectIssues {
  readonly issues: readonly ProjectIssue[]
  /** Number of issues that match the filters. */
  readonly total: number
  /** Counts over all severities. */
  readonly counts: NonNullable<Listed['counts']>
}

interface IssuesInput {
  readonly isIgnored: boolean
  readonly severity?: Severity | undefined
  readonly page: number
  readonly perPage: number
}

export async function listIssuesOf(
  orgId: string,
  projectId: string,
  { isIgnored, severity, page, perPage }: IssuesInput,
): Promise<ProjectIssues> {
  const filters = { ignored: isIgnored, ...(severity !== undefined && { severities: [severity] }) }
  const body = { includeDescription: true, filters }
  const query = { page, perPage }
  const { issues, total, counts } = await call('listAggregatedIssuesV1', { params: { orgId, projectId }, query, body })
  return { issues, total: total!, counts: counts! }
}

/** Reads the dependency paths to an issue, up to a limit. */
export function readIssuePaths(orgId: string, projectId: string, issueId: string): Promise<IssuePaths> {
  return call('listIssuePathsV1', { params: { orgId, projectId, issueId }, query: { perPage: 100, page: 1 } })
}
