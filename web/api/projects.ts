import type { Operations } from '../../src/client/api/operations.generated.ts'
import { type Answer, call } from './client.ts'

export type Project = Answer<'getOrgProject'>['data']
export type ProjectQuery = Operations['listOrgProjects']['query']
export type ProjectSort = NonNullable<ProjectQuery['sort']>
export type ProjectChange = NonNullable<NonNullable<Operations['updateOrgProject']['body']>['data']['attributes']>

const shown = { expand: ['target'] as 'target'[], 'meta.latest_issue_counts': true }

export interface ProjectPage {
  readonly data: readonly Project[]
  readonly links: Answer<'listOrgProjects'>['links']
}

export function listProjects(orgId: string, query: ProjectQuery): Promise<ProjectPage> {
  // Former names of members belong to versions that are not requested here.
  return call('listOrgProjects', { params: { org_id: orgId }, query: { ...query, ...shown } }) as Promise<ProjectPage>
}

/** Counts the projects on all pages of the list. */
export async function countProjects(orgId: string, query: ProjectQuery): Promise<number> {
  const { meta } = await call('listOrgProjects', { params: { org_id: orgId }, query: { ...query, meta_count: 'only' } })
  return meta!.count
}

export async function readProject(orgId: string, id: string): Promise<Project> {
  const query = { ...shown, 'meta.latest_dependency_total': true }
  return (await call('getOrgProject', { params: { org_id: orgId, project_id: id }, query })).data
}

export async function changeProject(orgId: string, id: string, attributes: ProjectChange): Promise<void> {
  const body = { data: { id, type: 'project', attributes } } as const
  await call('updateOrgProject', { params: { org_id: orgId, project_id: id }, body })
}

/** Makes the project due for a test. */
export async function testProject(orgId: string, id: string): Promise<void> {
  await call('testOrgProject', { params: { org_id: orgId, project_id: id } })
}

export async function deleteProject(orgId: string, id: string): Promise<void> {
  await call('deleteOrgProject', { params: { org_id: orgId, project_id: id } })
}

/** Deletes all of the projects, or none. */
export async function deleteProjects(orgId: string, projects: string[]): Promise<void> {
  await call('deleteProjectsV1', { params: { orgId }, body: { projects } })
}

export async function setWatched(orgId: string, projectId: string, change: 'activate' | 'deactivate'): Promise<void> {
  const params = { orgId, projectId }
  if (change === 'activate') await call('activateProjectV1', { params })
  else await call('deactivateProjectV1', { params })
}

export function listTestsOf(orgId: string, projectId: string, query: { page: number; perPage: number }) {
  return call('listProjectSnapshotsV1', { params: { orgId, projectId }, query })
}

/** Reads the coverage of a project's last test; 404 before the first. */
export async function readCoverage(orgId: string, projectId: string) {
  const params = { org_id: orgId, project_id: projectId }
  return (await call('getOrgProjectCoverage', { params })).data.attributes
}

export type Tag = Project['attributes']['tags'][number]

/** Changes one tag, so that concurrent changes by two users do not overwrite each other. */
export async function changeTag(of: { orgId: string; id: string }, tag: Tag, change: 'add' | 'remove'): Promise<void> {
  const params = { orgId: of.orgId, projectId: of.id }
  if (change === 'add') await call('addProjectTagV1', { params, body: tag })
  else await call('removeProjectTagV1', { params, body: tag })
}

export type Labels = Required<Operations['setProjectAttributesV1']['body']>

export async function setLabels(orgId: string, projectId: string, labels: Labels): Promise<void> {
  await call('setProjectAttributesV1', { params: { orgId, projectId }, body: labels })
}
