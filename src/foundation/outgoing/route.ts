import { isIP } from 'node:net'
import { createProxyJudge } from './behind-proxy.ts'
import { ForbiddenEndpoint, resolvePermitted } from './dialling.ts'
import { parseHostPattern, toEndpoint } from './host-patterns.ts'
import { displayUrl, OutgoingFailed } from './outgoing-errors.ts'
import { createProxyChoice } from './proxy-choice.ts'
import { resolveWithSystem } from './resolve.ts'
import { DEFAULT_LIMITS, type OutgoingSettings, type Resolve } from './settings.ts'
import { parseTarget, toRefusal } from './target.ts'

/** The route to a URL for a program that opens its own connections. */
export interface Route {
  /** With scheme and possibly credentials; undefined for direct connections. */
  readonly proxyUrl: string | undefined
  /** The only addresses that may be dialed; empty behind a proxy and for a URL with an address. */
  readonly addresses: readonly string[]
}

/** Checks a URL as `Outgoing` does. Throws `OutgoingRefused`, and `OutgoingFailed` for an unresolvable name. */
export type FindRoute = (url: URL) => Promise<Route>

export function createRouteFinder(settings: OutgoingSettings, resolve: Resolve = resolveWithSystem): FindRoute {
  const allow = settings.allow.map(parseHostPattern)
  const limits = { ...DEFAULT_LIMITS, ...settings.limits }
  const dialling = { allow, extraCertificates: settings.extraCertificates, limits, resolve }
  const chooseProxy = createProxyChoice(settings)
  const judgeBehindProxy = createProxyJudge(dialling)

  return async (target) => {
    const url = parseTarget(target, allow)
    const proxyUrl = chooseProxy(url)
    if (proxyUrl !== undefined) {
      const forbidden = await judgeBehindProxy(url)
      if (forbidden) throw toRefusal(url, forbidden)
      return { proxyUrl, addresses: [] }
    }
    const endpoint = toEndpoint(url)
    if (isIP(endpoint.host) !== 0) return { proxyUrl, addresses: [] }
    try {
      const permitted = await resolvePermitted(endpoint, dialling)
      if (permitted.length > 0) return { proxyUrl, addresses: permitted.map(({ address }) => address) }
    } catch (error) {
      if (error instanceof ForbiddenEndpoint) throw toRefusal(url, error.forbidden)
      throw nowhere(url, error)
    }
    throw nowhere(url)
  }
}

function nowhere(url: URL, cause?: unknown): OutgoingFailed {
  return new OutgoingFailed('dns', `${displayUrl(url)}: the host name could not be resolved`, { cause })
}
