import type { Services } from '#foundation/services.ts'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  /** Epoch milliseconds; without it the cookie lives as long as the browser. */
  readonly expiresAt?: number
}

/** Returns a `Set-Cookie` line: not for scripts, and not sent with requests that other sites make in the background. */
export function cookieLine({ baseUrl }: Pick<Services, 'baseUrl'>, cookie: Cookie): string {
  const { name, value, path, expiresAt } = cookie
  const expires = expiresAt === undefined ? '' : `; expires=${new Date(expiresAt).toUTCString()}`
  const secure = baseUrl.startsWith('https:') ? '; secure' : ''
  return `${name}=${value}; path=${path}${expires}; samesite=lax${secure}; httponly`
}
