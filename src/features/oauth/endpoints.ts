import { basePathOf } from '#foundation/http/base-path.ts'

/** Paths of the authorization server, below the base URL. */
export const endpoints = {
  /** Followed by an interaction's id when the browser comes back from its pages. */
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

/** Returns the path of an interaction's pages, as browsers see it. */
export function interactionPath(baseUrl: string, uid: string): string {
  return `${basePathOf(baseUrl)}${endpoints.interactions}/${uid}`
}

/** Returns the path on which an authorization continues after its interaction, as browsers see it. */
export function resumePath(baseUrl: string, uid: string): string {
  return `${basePathOf(baseUrl)}${endpoints.authorization}/${uid}`
}

/** With what client assertions may be signed; the last two are two names of one (RFC 9864). */
export const assertionAlgorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519'] as const
