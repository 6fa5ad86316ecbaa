/** Where people look at a project. Public clients take the last part of its path for the project's id. */
export function projectPage(baseUrl: string, { org_id, id }: { org_id: string; id: string }): string {
  return `${baseUrl}/console/orgs/${org_id}/projects/${id}`
}
