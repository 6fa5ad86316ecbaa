import { type HostPattern, matchesAddress, matchesName, parseHostPattern, toEndpoint } from './host-patterns.ts'
import type { OutgoingSettings } from './settings.ts'

/** Chooses the proxy of a URL; undefined for none. */
export type ProxyChoice = (url: URL) => string | undefined

/** Reads NO_PROXY as curl and Go do: a bare name includes its subdomains. Throws if it is invalid. */
export function createProxyChoice({ httpProxy, httpsProxy, noProxy }: OutgoingSettings): ProxyChoice {
  const entries = (noProxy ?? '').split(/[\s,]+/).filter((entry) => entry !== '')
  if (entries.includes('*')) return () => undefined
  const direct = entries.flatMap(toPatterns)
  return (url) => {
    const proxy = url.protocol === 'https:' ? httpsProxy : httpProxy
    if (proxy === undefined || proxy === '') return undefined
    const endpoint = toEndpoint(url)
    const isDirect = direct.some(
      (pattern) => matchesName(pattern, endpoint) || matchesAddress(pattern, endpoint.host, endpoint.port),
    )
    return isDirect ? undefined : proxy
  }
}

function toPatterns(entry: string): HostPattern[] {
  const pattern = parseHostPattern(entry)
  return pattern.kind === 'network'
    ? [pattern]
    : [
        { ...pattern, kind: 'name' },
        { ...pattern, kind: 'names-below' },
      ]
}
