/** Returns the query keys of data that an ignore affects: lists of ignores, and issue counts. */
export function keysOfIgnores(orgId: string) {
  return ['ignores', 'issues', 'project', 'projects'].map((name) => [name, orgId])
}
