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
  packageTest: (orgId: string) => `/orgs/${orgId}/test`,
  serviceAccounts: (place: Place) => `${at(place)}/service-accounts`,
  newServiceAccount: (place: Place) => `${at(place)}/service-accounts/new`,
  serviceAccount: (place: Place, id: string) => `${at(place)}/service-accounts/${id}`,
  members: (place: Place) => `${at(place)}/members`,
  roles: (groupId: string) => `/groups/${groupId}/roles`,
  auditLog: (place: Place) => `${at(place)}/audit-log`,
} as const

/** Pages of the server itself. */
export const serverPaths = {
  documentation: '/docs',
  error: (code: string) => `/docs/errors/${encodeURIComponent(code)}`,
} as const
