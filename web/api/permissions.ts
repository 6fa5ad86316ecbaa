// The only server modules in the console: names and descriptions without code, the same as on the consent page.
import { ci } from '../../src/foundation/access/built-in-roles.ts'
import { type Permission, permissions, permissionsWithoutEffect } from '../../src/foundation/access/permissions.ts'

export type { Permission }

/** The built-in role of CI jobs, whose id is the same on every server. */
export const ciRoleId = ci.id

/** Permissions about one subject. */
export interface PermissionArea {
  readonly title: string
  readonly permissions: readonly Permission[]
}

/** Titles of areas by the prefix of their permissions' names; the longest prefix counts. */
const titles: Readonly<Record<string, string>> = {
  'group.': 'Group',
  'group.org.': 'Organizations of the group',
  'group.role.': 'Roles',
  'group.user.': 'Users and members of the group',
  'group.service_account.': 'Service accounts of the group',
  'group.app.': 'Apps of the group',
  'org.': 'Organization',
  'org.user.': 'Members of the organization',
  'org.service_account.': 'Service accounts of the organization',
  'org.app.': 'Apps of the organization',
  'org.project.': 'Projects',
  'org.project.ignore.': 'Ignores',
}

/** Groups the permissions that have an effect by area, in a fixed order; omits empty areas. */
export function areasOf(names: readonly string[]): readonly PermissionArea[] {
  const all = Object.keys(permissions) as Permission[]
  const effective = all.filter((name) => names.includes(name) && !permissionsWithoutEffect.has(name))
  return Object.entries(titles)
    .map(([beginning, title]) => ({
      title,
      permissions: effective.filter((name) => beginningOf(name) === beginning),
    }))
    .filter((area) => area.permissions.length > 0)
}

export const allAreas = areasOf(Object.keys(permissions))

function beginningOf(name: string): string {
  return Object.keys(titles)
    .filter((beginning) => name.startsWith(beginning))
    .reduce((longest, beginning) => (beginning.length > longest.length ? beginning : longest))
}

/** Returns the description of a permission; undefined for one unknown to this console. */
export function describePermission(name: string): string | undefined {
  return Object.hasOwn(permissions, name) ? permissions[name as Permission] : undefined
}
