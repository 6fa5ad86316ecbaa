type Claims = Readonly<Record<string, unknown>>

const MAX_NAME_LENGTH = 100
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,190}$/u

/** Returns a claim by its name, or by a path of names separated by dots, such as `realm_access.roles`. */
export function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let found: unknown = claims
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    found = (found as Claims)[part]
  }
  return found
}

/** Returns the values of a claim that is a string or a list of strings. */
export function valuesOf(claims: Claims, name: string): ReadonlySet<string> {
  return new Set([readClaim(claims, name)].flat().filter((value) => typeof value === 'string'))
}

/** Returns the e-mail address in lower case; undefined if there is none of a valid form. */
export function emailOf({ email }: Claims): string | undefined {
  if (typeof email !== 'string') return undefined
  const address = email.trim().toLowerCase()
  return EMAIL.test(address) ? address : undefined
}

/** Some providers send a string. */
export function isEmailVerified({ email_verified: verified }: Claims): boolean {
  return verified === true || verified === 'true'
}

/** Returns the name for a new account. */
export function nameOf(claims: Claims, email: string): string {
  const { name, given_name: given, family_name: family } = claims
  const candidates = [name, [given, family].filter((part) => typeof part === 'string').join(' '), email.split('@')[0]]
  for (const candidate of candidates) {
    if (typeof candidate !== 'string') continue
    const plain = candidate.replaceAll(/\p{C}/gu, ' ').replaceAll(/\s+/g, ' ').trim()
    if (plain !== '') return plain.slice(0, MAX_NAME_LENGTH)
  }
  return email
}
