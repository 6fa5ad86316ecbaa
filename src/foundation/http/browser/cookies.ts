import type { FastifyRequest } from 'fastify'
import { basePathOf } from '../base-path.ts'

/** Returns a cookie of the request. */
export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  /** Epoch milliseconds; without it the cookie lives as long as the browser. */
  readonly expiresAt?: number
}

/** Returns a `Set-Cookie` value: hidden from scripts, and not sent with background requests of other sites. */
export function cookieLine(baseUrl: string, { name, value, path, expiresAt }: Cookie): string {
  const expires = expiresAt === undefined ? '' : `; expires=${new Date(expiresAt).toUTCString()}`
  const secure = baseUrl.startsWith('https:') ? '; secure' : ''
  return `${name}=${value}; path=${path}${expires}; samesite=lax${secure}; httponly`
}

/** Returns the path of cookies for all of this server. */
export function cookiePath(baseUrl: string): string {
  return basePathOf(baseUrl) || '/'
}

/**
 * Returns the name of the session cookie. On a host that is shared with other applications the cookie is limited to our
 * path, which `__Host-` does not allow.
 */
export function sessionCookieName(baseUrl: string): string {
  const prefix = !baseUrl.startsWith('https:') ? '' : basePathOf(baseUrl) === '' ? '__Host-' : '__Secure-'
  return `${prefix}gatehouse_session`
}
