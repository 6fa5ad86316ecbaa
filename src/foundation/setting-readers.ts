import { BlockList, isIP, isIPv4 } from 'node:net'
import { splitHosts } from './db/hosts/hosts.ts'
import { parseHostPattern } from './outgoing/host-patterns.ts'

// Each reader converts a setting's text, or throws with the expected form.

export function text(value: string): string {
  return value
}

/** Reads a value that is sent in a header. */
export function keyText(value: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value
  throw new Error('must be visible ASCII characters without spaces')
}

export function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

export function wholeNumber(least: number, most: number) {
  return (value: string): number => {
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= least && number <= most) return number
    throw new Error(`must be a whole number from ${least} to ${most}`)
  }
}

export function oneOf<const T extends string>(...words: T[]) {
  return (value: string): T => {
    const word = words.find((candidate) => candidate === value)
    if (word === undefined) throw new Error(`must be one of ${words.join(', ')}`)
    return word
  }
}

export function urlOf(...protocols: string[]) {
  return (value: string): string => {
    const url = URL.parse(value)
    if (!url || !protocols.includes(url.protocol)) {
      throw new Error(`must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
    }
    return value
  }
}

/** Reads a connection URL of PostgreSQL, of which several servers may be the primary. */
export function databaseUrl(value: string): string {
  splitHosts(value).map(oneDatabaseUrl)
  return value
}

/**
 * Reads a connection URL of one server. Refuses an unencoded password with / ? or #, after which the rest of the
 * password would count as host, which messages name.
 */
export function oneDatabaseUrl(value: string): string {
  const [, path = '', query = '', fragment = ''] = /^[^:]*:\/\/[^/?#]*([^?#]*)(\?[^#]*)?(.*)$/s.exec(value) ?? []
  // A value such as user=name@server is no part of a password.
  if (path.includes('@') || fragment.includes('@') || /^\?[^=&]*@|@[^&]*\//.test(query)) {
    throw new Error('must have a percent-encoded password, such as p%40ss for p@ss (/ is %2F, ? is %3F, # is %23)')
  }
  return urlOf('postgres:', 'postgresql:')(value)
}

/** Reads a server address, without a final slash. */
export function address(value: string): string {
  const { username, password, search, hash } = new URL(urlOf('http:', 'https:')(value))
  if (username !== '' || password !== '') throw new Error('must not contain a user name or a password')
  if (search !== '' || hash !== '') throw new Error('must not have a query or a fragment')
  return value.replace(/\/+$/, '')
}

/** First segments of this server's paths: a base path equal to one would be ambiguous. */
const ownPaths =
  /^\/(rest|v1|api|oauth2|console|docs|assets|orgs|groups|self|vuln|authenticated|metrics|healthz|readyz|\.well-known)(\/|$)/

/** Reads the public address of this server, possibly with a base path. */
export function publicAddress(value: string): string {
  const read = address(value)
  const path = new URL(read).pathname.replace(/\/$/, '')
  if (ownPaths.test(path)) throw new Error('must not have a path that begins like one of the server’s own')
  if (!/^(\/[\w.~-]+)*$/.test(path)) throw new Error('must have a path of letters, digits and . _ ~ - alone, or none')
  return read
}

export function urlOrPath(value: string): string {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? urlOf('http:', 'https:')(value) : value
}

const MAX_SOURCES = 30

/** Reads URLs, also of files, and paths. */
export function urlsOrPaths(value: string): string[] {
  const sources = list(value)
  for (const source of sources) if (!/^file:/i.test(source)) urlOrPath(source)
  if (sources.length > MAX_SOURCES) throw new Error(`must name at most ${MAX_SOURCES} URLs and files`)
  return sources
}

/** Reads names, addresses and networks, as `parseHostPattern` does. */
export function hosts(value: string): string[] {
  const written = list(value)
  for (const host of written) requireHost(host)
  return written
}

export function directHosts(value: string): string {
  for (const host of value.split(/[\s,]+/)) if (host !== '' && host !== '*') requireHost(host)
  return value
}

function requireHost(host: string): void {
  try {
    parseHostPattern(host)
  } catch (error) {
    throw new Error(`must list host names, addresses and networks: ${(error as Error).message}`)
  }
}

export function email(value: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(value)) return value.toLowerCase()
  throw new Error('must be an e-mail address')
}

export function password(value: string): string {
  if (value.length >= 12 && value.length <= 1024) return value
  throw new Error('must have 12 to 1024 characters')
}

export function uuid(value: string): string {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value)) return value.toLowerCase()
  throw new Error('must be a UUID')
}

export function secretKey(value: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(value)) return Buffer.from(value, 'hex')
  throw new Error('must be 64 hexadecimal digits (openssl rand -hex 32)')
}

export function networks(value: string): string[] {
  const cidrs = list(value)
  const matcher = new BlockList()
  for (const cidr of cidrs) addNetwork(matcher, cidr)
  return cidrs
}

/** Adds a CIDR network to a matcher. Throws if it is invalid. */
export function addNetwork(list: BlockList, cidr: string): void {
  const [address = '', prefix, ...rest] = cidr.split('/')
  const family = isIP(address)
  const bits = prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix)
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && bits <= (family === 4 ? 32 : 128))
  if (family === 0 || rest.length > 0 || !isPrefix)
    throw new Error(`must list networks like 10.0.0.0/8; "${cidr}" is not a network`)
  list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6')
}

/** Returns true for an address of the networks, also for an IPv4 address that is mapped to IPv6. */
export function includesAddress(networks: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return networks.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
}
