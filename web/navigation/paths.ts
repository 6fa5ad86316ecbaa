import { basePath } from './base-path.ts'

/** An organization or a group, to which most pages belong. */
export interface ConsoleScope {
  readonly kind: 'orgs' | 'groups'
  readonly id: string
}

const at = ({ kind, id }: ConsoleScope) => `/${kind}/${id}`

/** The console's site map, below `/console`. */
export const paths = {
  overview: '/',
  account: '/account',
  /** Apps authorized by the signed-in user. */
  ownApps: '/apps',
  ownApp: (id: string) => `/apps/${id}`,
  groups: '/groups',
  /** The organizations of a group. */
  orgs: (groupId: string) => `/groups/${groupId}/orgs`,
  orgSettings: (orgId: string) => `/orgs/${orgId}/settings`,
  licensePolicy: (orgId: string) => `/orgs/${orgId}/license-policy`,
  projects: (orgId: string) => `/orgs/${orgId}/projects`,
  /** Matches the end of a project's URL in the interface. */
  project: (orgId: string, id: string) => `/orgs/${orgId}/projects/${id}`,
  issues: (orgId: string) => `/orgs/${orgId}/issues`,
  vulnerability: (orgId: string, id: string) => `/orgs/${orgId}/vulnerabilities/${encodeURIComponent(id)}`,
  /** A package by its key: registry and name. */
  packageUse: (orgId: string, key: string) =>
    `/orgs/${orgId}/packages/${key.split('/').map(encodeURIComponent).join('/')}`,
  /** Ignores and rules; of a group, its rules. */
  ignores: (place: ConsoleScope) => `${at(place)}/ignores`,
  newRule: (place: ConsoleScope) => `${at(place)}/ignores/new`,
  rule: (place: ConsoleScope, id: string) => `${at(place)}/ignores/${id}`,
  imports: (orgId: string) => `/orgs/${orgId}/imports`,
  newImport: (orgId: string) => `/orgs/${orgId}/imports/new`,
  importRun: (orgId: string, id: string) => `/orgs/${orgId}/imports/${id}`,
  integrations: (orgId: string) => `/orgs/${orgId}/integrations`,
  newIntegration: (orgId: string) => `/orgs/${orgId}/integrations/new`,
  integration: (orgId: string, id: string) => `/orgs/${orgId}/integrations/${id}`,
  webhooks: (orgId: string) => `/orgs/${orgId}/webhooks`,
  newWebhook: (orgId: string) => `/orgs/${orgId}/webhooks/new`,
  webhook: (orgId: string, id: string) => `/orgs/${orgId}/webhooks/${id}`,
  packageTest: (orgId: string) => `/orgs/${orgId}/test`,
  serviceAccounts: (place: ConsoleScope) => `${at(place)}/service-accounts`,
  newServiceAccount: (place: ConsoleScope) => `${at(place)}/service-accounts/new`,
  serviceAccount: (place: ConsoleScope, id: string) => `${at(place)}/service-accounts/${id}`,
  /** Recipes for CI systems, with a key. */
  ci: (orgId: string) => `/orgs/${orgId}/ci`,
  apps: (orgId: string) => `/orgs/${orgId}/apps`,
  newApp: (orgId: string) => `/orgs/${orgId}/apps/new`,
  app: (orgId: string, id: string) => `/orgs/${orgId}/apps/${id}`,
  installs: (place: ConsoleScope) => `${at(place)}/installs`,
  newInstall: (place: ConsoleScope) => `${at(place)}/installs/new`,
  install: (place: ConsoleScope, id: string) => `${at(place)}/installs/${id}`,
  members: (place: ConsoleScope) => `${at(place)}/members`,
  users: (groupId: string) => `/groups/${groupId}/users`,
  user: (groupId: string, id: string) => `/groups/${groupId}/users/${id}`,
  roles: (groupId: string) => `/groups/${groupId}/roles`,
  newRole: (groupId: string) => `/groups/${groupId}/roles/new`,
  role: (groupId: string, id: string) => `/groups/${groupId}/roles/${id}`,
  security: (groupId: string) => `/groups/${groupId}/security`,
  singleSignOn: (groupId: string) => `/groups/${groupId}/single-sign-on`,
  auditLog: (place: ConsoleScope) => `${at(place)}/audit-log`,
  /** Path of the first page of a place. */
  home: (place: ConsoleScope) => (place.kind === 'orgs' ? `${at(place)}/projects` : `${at(place)}/service-accounts`),
} as const

export const serverPaths = {
  documentation: `${basePath}/docs`,
  readiness: `${basePath}/readyz`,
  webhookGuide: `${basePath}/docs/webhooks`,
  ciGuide: `${basePath}/docs/ci`,
  oauthGuide: `${basePath}/docs/oauth`,
  error: (code: string) => `${basePath}/docs/errors/${encodeURIComponent(code)}`,
} as const
