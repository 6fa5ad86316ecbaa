/** Paths of the authorization server, below the base URL. */
export const endpoints = {
  authorization: '/oauth2/authorize',
  token: '/oauth2/token',
  revocation: '/oauth2/revoke',
  introspection: '/oauth2/introspect',
  jwks: '/oauth2/jwks',
  /** Followed by the interaction's id: the pages on which people sign in and consent. */
  interactions: '/oauth2/interactions',
} as const

export function tokenUrl(baseUrl: string): string {
  return `${baseUrl}${endpoints.token}`
}

/** Marks an authorization request without `redirect_uri`, which we filled in. */
export const DEFAULTED_REDIRECT = 'gatehouse_redirect_uri_defaulted'

/** With what client assertions may be signed; the last two are two names of one (RFC 9864). */
export const assertionAlgorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519'] as const
