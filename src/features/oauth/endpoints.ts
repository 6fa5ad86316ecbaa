import { basePathOf } from '#foundation/http/base-path.ts'

/** Paths of the authorization server, below the base URL. */
export const endpoints = {
  /** Also with an interaction's id, when the browser returns from its pages. */
  authorization: '/oauth2/authorize',
  token: '/oauth2/token',
  revocation: '/oauth2/revoke',
  introspection: '/oauth2/introspect',
  jwks: '/oauth2/jwks',
  /** With the interaction's id: the pages on which users sign in and consent. */
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

/** Algorithms of client assertions; the last two are names of the same one (RFC 9864). */
export const assertionAlgorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519'] as const
