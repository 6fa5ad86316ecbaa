import { type Answer, call } from './client.ts'

export type ProjectIssue = Answer<'listAggregatedIssuesV1'>['issues'][number]
export type IssuePaths = Answer<'listIssuePathsV1'>
export type IssuePath = IssuePaths['paths'][number]

/** Everything that is known against a project now, with what is ignored. */
export async function listIssuesOf(orgId: string, projectId: string): Promise<readonly ProjectIssue[]> {
  const body = { includeDescription: true }
  return (await call('listAggregatedIssuesV1', { params: { orgId, projectId }, body })).issues
}

/** The ways by which an issue gets into a project; of many, the first. */
export function readIssuePaths(orgId: string, projectId: string, issueId: string): Promise<IssuePaths> {
  return call('listIssuePathsV1', { params: { orgId, projectId, issueId }, query: { perPage: 100, page: 1 } })
}
