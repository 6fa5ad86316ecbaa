/** Every permission with its description for users. Names are those of the interface documents and of OAuth scopes. */
export const permissions = {
  'group.read': 'See the group',
  'group.create': 'Create groups on this server (has an effect in its first group only)',
  'group.edit': 'Change the group',
  'group.audit.read': 'Read the group’s audit log',
  'group.org.create': 'Create organizations in the group',
  'group.org.delete': 'Delete organizations of the group',
  'group.role.read': 'See the roles of the group',
  'group.role.create': 'Create custom roles',
  'group.role.edit': 'Change custom roles',
  'group.role.delete': 'Delete custom roles',
  'group.user.read': 'See the users and members of the group',
  'group.user.create': 'Create users and add members to the group',
  'group.user.edit': 'Change the role of the group’s members',
  'group.user.delete': 'Remove members from the group',
  'group.service_account.create': 'Create service accounts of the group',
  'group.service_account.read': 'See service accounts of the group',
  'group.service_account.edit': 'Rename service accounts of the group and manage their secrets',
  'group.service_account.delete': 'Delete service accounts of the group',
  'group.app.read': 'See apps installed in the group',
  'group.app.install': 'Install apps into the group and revoke installs',
  'group.app.edit': 'Manage secrets of the group’s installs',
  'org.read': 'See the organization',
  'org.edit': 'Change the organization, its integrations and imports',
  'org.delete': 'Delete the organization',
  'org.audit.read': 'Read the organization’s audit log',
  'org.report.read': 'Read reports',
  'org.user.read': 'See members of the organization',
  'org.user.add': 'Add members to the organization',
  'org.user.edit': 'Change the role of the organization’s members',
  'org.user.delete': 'Remove members from the organization',
  'org.service_account.create': 'Create service accounts of the organization',
  'org.service_account.read': 'See service accounts of the organization',
  'org.service_account.edit': 'Rename service accounts of the organization and manage their secrets',
  'org.service_account.delete': 'Delete service accounts of the organization',
  'org.app.create': 'Register apps',
  'org.app.read': 'See apps and installs',
  'org.app.edit': 'Change apps and manage their secrets',
  'org.app.delete': 'Delete apps',
  'org.app.install': 'Install apps and revoke installs',
  'org.project.read': 'See projects and their issues',
  'org.project.create': 'Add projects',
  'org.project.edit': 'Change projects',
  'org.project.delete': 'Delete projects',
  'org.project.status': 'Activate and deactivate projects',
  'org.project.test': 'Test projects again',
  'org.project.ignore.read': 'See ignores',
  'org.project.ignore.create': 'Ignore issues',
  'org.project.ignore.edit': 'Change ignores',
  'org.project.ignore.delete': 'Remove ignores',
  'org.project.attributes.edit': 'Change attributes of projects',
  'org.project.tag.edit': 'Change tags of projects',
  'org.project.pr.create': 'Open pull requests',
  'org.project.pr.skip': 'Skip checks of pull requests',
  'org.project.jira.issue.read': 'See linked tickets',
  'org.project.jira.issue.create': 'Create linked tickets',
  'org.project.snapshot.read': 'See the history of projects',
  'org.package.test': 'Test packages and manifests',
  'org.container_image.read': 'See container images',
  'org.collection.read': 'See collections',
  'org.collection.create': 'Create collections',
  'org.collection.edit': 'Change collections',
  'org.collection.delete': 'Delete collections',
} as const

export type Permission = keyof typeof permissions

/** Permissions of the interface documents for features that this server does not have: valid, but without effect. */
export const permissionsWithoutEffect: ReadonlySet<string> = new Set<Permission>([
  'org.report.read',
  'org.project.pr.create',
  'org.project.pr.skip',
  'org.project.jira.issue.read',
  'org.project.jira.issue.create',
  'org.container_image.read',
  'org.collection.read',
  'org.collection.create',
  'org.collection.edit',
  'org.collection.delete',
])

export const permissionNames = Object.keys(permissions) as readonly Permission[]

export function isPermission(name: string): name is Permission {
  return Object.hasOwn(permissions, name)
}

const MAX_PARSED = 1000
const parsed = new Map<string, ReadonlySet<Permission>>()

/**
 * Parses stored permissions or scopes, without those that this version does not have. Cached by the text, so entries
 * never become stale.
 */
export function parsePermissions(stored: string): ReadonlySet<Permission> {
  const cached = parsed.get(stored)
  if (cached) return cached
  const permissions = new Set((JSON.parse(stored) as string[]).filter(isPermission))
  if (parsed.size >= MAX_PARSED) parsed.clear()
  parsed.set(stored, permissions)
  return permissions
}
