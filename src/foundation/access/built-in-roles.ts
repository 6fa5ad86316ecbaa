import { type Permission, permissionNames } from './permissions.ts'

/** A role that every group has and that cannot be changed. */
export interface BuiltInRole {
  /** The same in every installation, so that scripts can name it. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly permissions: readonly Permission[]
}

const ofOrgs = permissionNames.filter((name) => name.startsWith('org.'))
const reads = permissionNames.filter((name) => name.endsWith('.read'))
const collaborates = ofOrgs.filter(
  (name) =>
    name.startsWith('org.project.') ||
    name.startsWith('org.collection.') ||
    [
      'org.read',
      'org.report.read',
      'org.package.test',
      'org.container_image.read',
      'org.user.read',
      'org.app.read',
      'org.service_account.read',
    ].includes(name),
)

export const groupAdmin: BuiltInRole = {
  id: '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0001',
  name: 'Group Admin',
  description: 'Everything in the group and in all of its organizations',
  permissions: permissionNames,
}

export const groupViewer: BuiltInRole = {
  id: '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0002',
  name: 'Group Viewer',
  description: 'Sees the group and all of its organizations, changes nothing',
  permissions: reads,
}

export const orgAdmin: BuiltInRole = {
  id: '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0003',
  name: 'Org Admin',
  description: 'Everything in one organization',
  permissions: ofOrgs,
}

export const orgCollaborator: BuiltInRole = {
  id: '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0004',
  name: 'Org Collaborator',
  description: 'Works with the projects and tests of one organization',
  permissions: collaborates,
}

/** The permissions of `POST /v1/test/…` and `POST /v1/monitor/…`. A leaked key reads no projects and changes no settings. */
export const ci: BuiltInRole = {
  id: '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0005',
  name: 'CI',
  description: 'Tests packages and monitors projects of one organization; reads nothing else',
  permissions: ['org.read', 'org.project.create', 'org.package.test'],
}

export const builtInRoles: readonly BuiltInRole[] = [groupAdmin, groupViewer, orgAdmin, orgCollaborator, ci]
