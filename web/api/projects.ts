import { call, callData } from './client.ts'
import type { Listed } from './places.ts'
import type { Project, ProjectQuery, Tag } from './resources.ts'

const shown = { expand: ['target'] as 'target'[], 'meta.latest_issue_counts': true }

export function listProjects(orgId: string, query: ProjectQuery): Promise<Listed<Project>> {
  // Former names of members belong to versions that are not requested here.
  return call('listOrgProjects', { params: { org_id: orgId }, query: { ...query, ...shown } }) as Promise<
    Listed<Project>
  >
}

/** Counts the projects on all pages of the list. */
export async function countProjects(orgId: string, query: ProjectQuery): Promise<number> {
  const { meta } = await call('listOrgProjects', { params: { org_id: orgId }, query: { ...query, meta_count: 'only' } })
  return meta!.count
}

export function readProject(orgId: string, id: string): Promise<Project> {
  const query = { ...shown, 'meta.latest_dependency_total': true }
  return callData('getOrgProject', { params: { org_id: orgId, project_id: id }, query })
}

/** Changes one tag, so that concurrent changes by two users do not overwrite each other. */
export async function changeTag(of: { orgId: string; id: string }, tag: Tag, change: 'add' | 'remove'): Promise<void> {
  const params = { orgId: of.orgId, projectId: of.id }
  await call(change === 'add' ? 'addProjectTagV1' : 'removeProjectTagV1', { params, body: tag })
}
