import type { ConsoleScope } from '../../../navigation/paths.ts'

/** Returns the query keys of data that an ignore affects: lists of ignores, and issue counts. */
export function keysOfIgnores(orgId: string) {
  return ['ignores', 'issue-groups', 'issues', 'project', 'projects', 'counts'].map((name) => [name, orgId])
}

/** Returns the query keys of data that a rule affects: rules, and what an ignore affects, of all organizations of a group. */
export function keysOfRules({ kind, id }: ConsoleScope): readonly (readonly unknown[])[] {
  const names = keysOfIgnores(id)
  return [['policies'], ['policy'], ...(kind === 'orgs' ? names : names.map(([name]) => [name]))]
}
