import { isPermission } from '#foundation/access/permissions.ts'
import { isScope } from '#foundation/access/scopes.ts'
import { Problem } from '#foundation/problem.ts'

/**
 * Returns the requested scopes among those available (RFC 6749 §3.3). Ignores unknown names (`offline_access`,
 * `openid`, …), which existing clients send; without known names all available scopes are requested. Throws if none
 * remains.
 */
export function narrowScopes(parameter: string | undefined, scopes: readonly string[]): string[] {
  const requested = parseScopes(parameter, scopes)
  if (requested.length === 0) return [...scopes]
  const granted = scopes.filter((name) => requested.includes(name))
  if (granted.length > 0) return granted
  throw new Problem('invalid-scope', `The client has none of the requested scopes. Its scopes: ${scopes.join(' ')}`)
}

/** Returns the known scopes of a parameter; none if it requests nothing specific. */
export function parseScopes(parameter: string | undefined, scopes: readonly string[]): string[] {
  const names = (parameter ?? '').split(' ').filter((name) => name !== '')
  if (!names.every((name) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name))) {
    throw new Problem('invalid-scope', 'scope contains an invalid character')
  }
  return names.filter((name) => isPermission(name) || isScope(name) || scopes.includes(name))
}
