import type { FastifyRequest } from 'fastify'
import { Problem } from '../../problem.ts'

/**
 * Names the session for which a page of the console was opened. Other sites can neither send this header (they would
 * need CORS, which this server never grants) nor know its value.
 */
export const SESSION_HEADER = 'gatehouse-session'

/** Methods that change nothing (RFC 9110 §9.2.1). */
const safe = new Set(['GET', 'HEAD'])

/** Throws 403 unless the browser sent the request for a page of this server. */
export function requireOwnPage(request: FastifyRequest, baseUrl: string): void {
  if (isFromOwnPage(request, baseUrl)) return
  throw new Problem('foreign-page', 'The session cookie counts only in requests of this server’s own pages')
}

/**
 * Returns true if the browser reports the request as one of this server's pages: in `Sec-Fetch-Site`, or over plain
 * HTTP in the `Origin` of a change. A change without either is refused.
 */
function isFromOwnPage({ headers, method }: FastifyRequest, baseUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  const { origin, host } = headers
  // A page may be opened under another name of this server than its public address.
  if (origin !== undefined) return origin === new URL(baseUrl).origin || hostOf(origin) === host
  return site !== undefined || safe.has(method)
}

function hostOf(origin: string): string | undefined {
  return URL.parse(origin)?.host
}
