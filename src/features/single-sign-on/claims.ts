import { cutText } from '#foundation/cut-text.ts'

type Claims = Readonly<Record<string, unknown>>

const MAX_NAME_LENGTH = 100
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,190}$/u

/** Returns a claim by its name, or by a path of names separated by dots, such as `realm_access.roles`. */
export function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Claims)[part]
  }
  return value
}

/** Returns true if claims that a sign-in needs are missing (OpenID Connect Core §5.4 allows each of them to be). */
export function lacksClaims(
  claims: Claims,
  { role_claim, trusts_emails }: { role_claim: string | null; trusts_emails: number },
): boolean {
  const needed = ['email', 'name', ...(trusts_emails === 1 ? [] : ['email_verified'])]
  return [...needed, ...(role_claim === null ? [] : [role_claim])].some((name) => readClaim(claims, name) === undefined)
}

/**
 * Adds the claims of the UserInfo endpoint to those of the signed ID token, which take precedence. `email_verified`
 * counts only for the address in the same source.
 */
export function mergeClaims(idToken: Claims, userInfo: Claims): Claims {
  const isSame = idToken['email'] === undefined || emailOf(idToken) === emailOf(userInfo)
  const fromToken = idToken['email'] === undefined ? undefined : idToken['email_verified']
  const email_verified = fromToken ?? (isSame ? userInfo['email_verified'] : undefined)
  return { ...userInfo, ...idToken, email_verified }
}

/**
 * Returns the values of the role claim in the first source that has it, a string or a list of strings; undefined if the
 * provider left them out, as Entra ID does for users of more than 200 groups.
 */
export function roleValuesOf(sources: readonly Claims[], roleClaim: string | null): ReadonlySet<string> | undefined {
  if (roleClaim === null) return new Set()
  const complete = sources.filter((one) => !isLeftOut(one, roleClaim))
  const value = complete.map((one) => readClaim(one, roleClaim)).find((one) => one !== undefined)
  if (value === undefined && complete.length < sources.length) return undefined
  return new Set([value].flat().filter((one) => typeof one === 'string'))
}

/** Detects distributed claims (OpenID Connect Core §5.6.2) and Entra ID's `hasgroups`. */
function isLeftOut(claims: Claims, name: string): boolean {
  const { _claim_names: elsewhere, hasgroups } = claims
  if (name === 'groups' && (hasgroups === true || hasgroups === 'true')) return true
  const names = typeof elsewhere === 'object' && elsewhere !== null ? Object.keys(elsewhere) : []
  return names.includes(name) || names.includes(name.split('.')[0]!)
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

export function nameOf(claims: Claims, email: string): string {
  const { name, given_name: firstName, family_name: family } = claims
  const candidates = [
    name,
    [firstName, family].filter((part) => typeof part === 'string').join(' '),
    email.split('@')[0],
  ]
  for (const candidate of candidates) {
    if (typeof candidate !== 'string') continue
    const plain = candidate.replaceAll(/\p{C}/gu, ' ').replaceAll(/\s+/g, ' ').trim()
    if (plain !== '') return cutText(plain, MAX_NAME_LENGTH)
  }
  return email
}
