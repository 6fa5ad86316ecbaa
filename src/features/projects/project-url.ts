/** A project's page in the console. Clients take the last part of the path for the project's id. */
export function projectUrl(baseUrl: string, orgId: string, projectId: string): string {
  return `${baseUrl}/console/orgs/${orgId}/projects/${projectId}`
}
