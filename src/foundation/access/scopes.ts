import { type Permission, permissions, permissionsWithoutEffect } from './permissions.ts'

/** Scopes that apps can request: organization permissions under their own names. */
const granting = [
  'org.read',
  'org.edit',
  'org.report.read',
  'org.project.read',
  'org.project.create',
  'org.project.edit',
  'org.project.delete',
  'org.project.status',
  'org.project.test',
  'org.project.ignore.read',
  'org.project.ignore.create',
  'org.project.ignore.edit',
  'org.project.ignore.delete',
  'org.project.attributes.edit',
  'org.project.tag.edit',
  'org.project.pr.create',
  'org.project.pr.skip',
  'org.project.jira.issue.read',
  'org.project.jira.issue.create',
  'org.project.snapshot.read',
  'org.package.test',
  'org.container_image.read',
  'org.collection.read',
  'org.collection.create',
  'org.collection.edit',
  'org.collection.delete',
] as const satisfies readonly Permission[]

/** Requested by old apps; grants nothing. */
const LEGACY = 'apps:beta'

export type Scope = (typeof granting)[number] | typeof LEGACY

export const scopeNames: readonly Scope[] = [...granting, LEGACY]

/** Required for every app: all access to an organization depends on seeing it. */
export const REQUIRED_SCOPE = 'org.read' satisfies Scope

export function isScope(name: string): name is Scope {
  return scopeNames.some((scope) => scope === name)
}

/** Returns the sentence shown on the consent page. */
export function describeScope(scope: Scope): string {
  if (scope === LEGACY) return 'Nothing: a scope that old apps still request'
  return permissionsWithoutEffect.has(scope) ? `${permissions[scope]} (no effect on this server)` : permissions[scope]
}

/** Maps scopes to permissions. Scopes that grant nothing or that this version does not know are ignored. */
export function permissionsOfScopes(scopes: readonly string[]): Permission[] {
  return granting.filter((scope) => scopes.includes(scope))
}
