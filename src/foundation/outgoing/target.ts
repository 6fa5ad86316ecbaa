import { isIP } from 'node:net'
import { findForbidden } from './address-rules.ts'
import { type HostPattern, matchesName, toEndpoint } from './host-patterns.ts'
import { displayUrl, OutgoingFailed, OutgoingRefused } from './outgoing-errors.ts'
import { parsePlainUrl } from './plain-url.ts'

/** The allow-list's setting. */
const ALLOW_SETTING = 'GATEHOUSE_OUTGOING_ALLOW'

const MAX_URL_CHARACTERS = 8_000

/**
 * Parses and checks a requested URL, and normalizes its host. Names other than localhost are checked when they are
 * resolved; everything else here.
 */
export function parseTarget(text: string | URL, allow: readonly HostPattern[]): URL {
  const url = parsePlainUrl(String(text))
  if (url === undefined || url.href.length > MAX_URL_CHARACTERS)
    throw new OutgoingRefused('Refused: not a valid http or https URL', { reason: 'url' })
  judgeTarget(url, allow)
  url.hash = ''
  return url
}

/** Checks the target of a redirect (RFC 9110 §10.2.2) like a requested URL. */
export function parseRedirect(from: URL, location: string, allow: readonly HostPattern[]): URL {
  const url = parsePlainUrl(location, from.href)
  if (url === undefined || url.href.length > MAX_URL_CHARACTERS)
    throw new OutgoingFailed('bad-redirect', `${displayUrl(from)}: redirects to an invalid URL`)
  judgeTarget(url, allow)
  const endpoint = toEndpoint(url)
  const downgraded = from.protocol === 'https:' && url.protocol === 'http:'
  if (downgraded && !allow.some((pattern) => matchesName(pattern, endpoint)))
    throw new OutgoingRefused(`Refused to follow a redirect from https to ${displayUrl(url)}`, {
      reason: 'downgrade',
      setting: ALLOW_SETTING,
    })
  url.hash = ''
  return url
}

function judgeTarget(url: URL, allow: readonly HostPattern[]): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutgoingRefused(`Refused to request a ${url.protocol} URL: only http: and https: are`, {
      reason: 'scheme',
    })
  if (url.username !== '' || url.password !== '')
    throw new OutgoingRefused(`Refused to request ${displayUrl(url)}: the URL contains credentials`, {
      reason: 'credentials',
    })
  const endpoint = toEndpoint(url)
  const addresses = knownAddresses(endpoint.host)
  const forbidden = addresses.map((address) => findForbidden(endpoint, address, allow))
  const [first] = forbidden
  if (first && forbidden.every((verdict) => verdict !== undefined)) throw toRefusal(url, first)
}

/** Returns the addresses of a host that needs no resolution: names of this machine are loopback (RFC 6761 §6.3). */
function knownAddresses(host: string): readonly string[] {
  if (isIP(host) !== 0) return [host]
  return host === 'localhost' || host.endsWith('.localhost') ? ['127.0.0.1', '::1'] : []
}

export function toRefusal(url: URL, forbidden: { reason: 'address' | 'port'; why: string }): OutgoingRefused {
  return new OutgoingRefused(`Refused to request ${displayUrl(url)}: it ${forbidden.why}`, {
    reason: forbidden.reason,
    setting: ALLOW_SETTING,
  })
}
