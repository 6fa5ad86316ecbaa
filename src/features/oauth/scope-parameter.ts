import { isPermission } from '#foundation/access/permissions.ts'
import { isScope } from '#foundation/access/scopes.ts'
import { Problem } from '#foundation/problem.ts'

/**
 * The scopes that a `scope` parameter asks for, out of those that can be had (RFC 6749 §3.3). Names that nobody here
 * knows (`offline_access`, `openid`, …) are passed over, since existing clients send them; when no others are named, all
 * that can be had is asked for. Throws when names that are known leave nothing.
 */
export function narrowScopes(parameter: string | undefined, held: readonly string[]): string[] {
  const known = knownScopes(parameter, held)
  if (known.length === 0) return [...held]
  const granted = held.filter((name) => known.includes(name))
  if (granted.length > 0) return granted
  throw new Problem('invalid-scope', `The client has none of the scopes asked for; it has: ${held.join(' ')}`)
}

/** Those of a `scope` parameter that mean something here; none when it asks for nothing in particular. */
export function knownScopes(parameter: string | undefined, held: readonly string[]): string[] {
  const asked = (parameter ?? '').split(' ').filter((name) => name !== '')
  if (!asked.every((name) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name))) {
    throw new Problem('invalid-scope', 'scope has a character that no scope may have')
  }
  return asked.filter((name) => isPermission(name) || isScope(name) || held.includes(name))
}
