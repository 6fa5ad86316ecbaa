import { BlockList, isIP } from 'node:net'
import { type Endpoint, type HostPattern, matchesAddress, matchesName } from './host-patterns.ts'

/** The reason for which an endpoint may not be reached. */
export interface Forbidden {
  readonly reason: 'address' | 'port'
  /** Completes "it …", without the address. */
  readonly why: string
}

/**
 * All ranges other than ordinary public addresses: IANA's special-purpose registries (RFC 6890 and updates), multicast,
 * and IPv6 forms of IPv4 addresses (RFC 4291, 6052, 3056, 4380).
 */
const SPECIAL_RANGES: readonly [network: string, prefix: number, what: string][] = [
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared carrier (CGNAT)'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'protocol assignment'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'special-purpose'],
  ['192.52.193.0', 24, 'special-purpose'],
  ['192.88.99.0', 24, '6to4 relay'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'special-purpose'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
  ['::', 128, 'unspecified'],
  ['::1', 128, 'loopback'],
  ['::ffff:0:0', 96, 'IPv4-mapped'],
  ['::', 96, 'IPv4-compatible'],
  ['64:ff9b::', 96, 'NAT64'],
  ['64:ff9b:1::', 48, 'NAT64'],
  ['2001::', 32, 'Teredo'],
  ['2001::', 23, 'protocol assignment'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4'],
  ['3fff::', 20, 'documentation'],
  ['fc00::', 7, 'unique local'],
  ['fe80::', 10, 'link-local'],
  ['fec0::', 10, 'site-local'],
  ['ff00::', 8, 'multicast'],
]

const RULES = SPECIAL_RANGES.map(([network, prefix, what]) => ({
  what,
  family: isIP(network),
  range: toRange(network, prefix),
}))
const GLOBAL_UNICAST = toRange('2000::', 3)

const USUAL_PORTS: readonly number[] = [80, 443]

/** Returns the kind of a special address; undefined for an ordinary public one. */
export function findSpecialKind(address: string): string | undefined {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return 'unreadable'
  // IPv4 addresses are checked against IPv4 ranges only: BlockList would also match them, mapped, in IPv6 ranges.
  const rule = RULES.find((rule) => rule.family === family && rule.range.check(address, `ipv${family as 4 | 6}`))
  if (rule) return rule.what
  if (family === 6 && !GLOBAL_UNICAST.check(address, 'ipv6')) return 'reserved'
  return undefined
}

/** Checks one address of `endpoint`, or only the port if a proxy resolves the name. */
export function findForbidden(
  endpoint: Endpoint,
  address: string | undefined,
  allow: readonly HostPattern[],
): Forbidden | undefined {
  if (allow.some((pattern) => matchesName(pattern, endpoint))) return undefined
  if (address !== undefined && allow.some((pattern) => matchesAddress(pattern, address, endpoint.port)))
    return undefined
  const kind = address === undefined ? undefined : findSpecialKind(address)
  if (kind !== undefined) return { reason: 'address', why: `has an address that is not public: ${kind}` }
  if (!USUAL_PORTS.includes(endpoint.port)) return { reason: 'port', why: `uses port ${endpoint.port}, not 80 or 443` }
  return undefined
}

function toRange(network: string, prefix: number): BlockList {
  const range = new BlockList()
  range.addSubnet(network, prefix, isIP(network) === 4 ? 'ipv4' : 'ipv6')
  return range
}
