/** An organisation or a group: what most pages are about. */
export interface Place {
  readonly kind: 'orgs' | 'groups'
  readonly id: string
}

const at = ({ kind, id }: Place) => `/${kind}/${id}`

/** The console's site map, below `/console`. */
export const paths = {
  overview: '/',
  signIn: '/sign-in',
  /** What acts for the person who looks. */
  ownApps: '/apps',
  ownApp: (id: string) => `/apps/${id}`,
  packageTest: (orgId: string) => `/orgs/${orgId}/test`,
  serviceAccounts: (place: Place) => `${at(place)}/service-accounts`,
  newServiceAccount: (place: Place) => `${at(place)}/service-accounts/new`,
  serviceAccount: (place: Place, id: string) => `${at(place)}/service-accounts/${id}`,
  apps: (orgId: string) => `/orgs/${orgId}/apps`,
  newApp: (orgId: string) => `/orgs/${orgId}/apps/new`,
  app: (orgId: string, id: string) => `/orgs/${orgId}/apps/${id}`,
  installs: (place: Place) => `${at(place)}/installs`,
  newInstall: (place: Place) => `${at(place)}/installs/new`,
  install: (place: Place, id: string) => `${at(place)}/installs/${id}`,
  members: (place: Place) => `${at(place)}/members`,
  roles: (groupId: string) => `/groups/${groupId}/roles`,
  auditLog: (place: Place) => `${at(place)}/audit-log`,
} as const

/** Pages of the server itself. */
export const serverPaths = {
  documentation: '/docs',
  error: (code: string) => `/docs/errors/${encodeURIComponent(code)}`,
} as const
