/** Returns the query keys of data that an ignore affects: lists of ignores, and issue counts. */
export function keysOfIgnores(orgId: string) {
  return ['ignores', 'issue-groups', 'issues', 'project', 'projects', 'counts'].map((name) => [name, orgId])
}
