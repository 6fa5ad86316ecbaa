import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { cookieLine, cookieOf, cookiePath } from '#foundation/http/browser/cookies.ts'
import type { Keyring } from '#foundation/secrets/keyring.ts'
import type { Services } from '#foundation/services.ts'

export const KNOWN_BROWSER_COOKIE = 'gatehouse_known'
export const KNOWN_BROWSER_DAYS = 180
const MAX_ACCOUNTS = 5

/**
 * Records in a cookie which accounts have signed in with a browser, so that an attack on an account does not lock out
 * its owner (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). Grants no access: it only makes failures
 * of this browser count separately.
 */
export function rememberBrowser(
  keyring: Keyring,
  cookie: string | undefined,
  user: { id: string; at: number },
): string {
  const others = entriesOf(cookie).filter((entry) => entry.split('.')[0] !== user.id)
  const body = `${user.id}.${Math.floor(user.at / 1000)}.${randomBytes(12).toString('base64url')}`
  return [`${body}.${sign(keyring, body)}`, ...others].slice(0, MAX_ACCOUNTS).join('~')
}

/** Returns the cookie line for a browser in which the user has just signed in. */
export function knownBrowserCookie(
  { keyring, now, baseUrl }: Pick<Services, 'keyring' | 'now' | 'baseUrl'>,
  request: FastifyRequest,
  { id }: { id: string },
): string {
  const at = now()
  const value = rememberBrowser(keyring, cookieOf(request, KNOWN_BROWSER_COOKIE), { id, at })
  const expiresAt = at + KNOWN_BROWSER_DAYS * 86_400_000
  return cookieLine(baseUrl, { name: KNOWN_BROWSER_COOKIE, value, path: cookiePath(baseUrl), expiresAt })
}

/** Returns this browser's id if the user has signed in with it before. */
export function findKnownBrowser(
  keyring: Keyring,
  cookie: string | undefined,
  user: { id: string; at: number },
): string | undefined {
  for (const entry of entriesOf(cookie)) {
    const [id, issuedAt, nonce, signature] = entry.split('.')
    if (id !== user.id || nonce === undefined || signature === undefined) continue
    if (!keyring.verify(`known browser ${id}.${issuedAt}.${nonce}`, signature)) continue
    if (Number(issuedAt) * 1000 > user.at - KNOWN_BROWSER_DAYS * 86_400_000) return nonce
  }
  return undefined
}

function entriesOf(cookie: string | undefined): string[] {
  return cookie === undefined ? [] : cookie.slice(0, 2048).split('~').slice(0, MAX_ACCOUNTS)
}

function sign(keyring: Keyring, body: string): string {
  return keyring.sign(`known browser ${body}`)
}
