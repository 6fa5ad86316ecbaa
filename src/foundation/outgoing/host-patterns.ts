import { BlockList, isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/**
 * A set of hosts in an operator's spelling: a name, a subdomain pattern, an address or a network, optionally with a
 * port.
 */
export type HostPattern = { readonly port: number | undefined } & (
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'names-below'; readonly name: string }
  | { readonly kind: 'network'; readonly network: BlockList; readonly family: 4 | 6 }
)

/** The destination of a connection. `host` is spelled as by `toHost`. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/

/**
 * Parses `host`, `*.host`, `.host`, `address`, `network/prefix`, `host:port`, `[address]:port`. Throws with a sentence.
 */
export function parseHostPattern(text: string): HostPattern {
  const entry = text.trim().toLowerCase()
  const { rest: written, port } = splitPort(entry)
  if (port !== undefined && !(port >= 1 && port <= 65_535)) throw new Error(`"${text}" has an impossible port`)
  const rest = toPlainHost(written)
  if (isIP(rest) !== 0 || /^[0-9a-f:.]+\//.test(rest)) return { kind: 'network', port, ...parseNetwork(rest, text) }
  const start = /^\*?\./.exec(rest)?.[0]
  const below = start === undefined ? undefined : toPlainHost(rest.slice(start.length))
  const name = below ?? rest
  if (!NAME.test(name)) throw new Error(`"${text}" is neither a host name, nor an address, nor a network`)
  return { kind: below === undefined ? 'name' : 'names-below', port, name }
}

/** Normalizes a host as URLs do, without a final dot; returns invalid hosts unchanged. */
function toPlainHost(text: string): string {
  if (isIP(text) !== 0 || /[/*:]|^\./.test(text)) return text
  return (domainToASCII(text) || text).replace(/\.$/, '')
}

/** Returns a URL's host for comparison: lower case, no brackets, no final dot. */
function toHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

export function toEndpoint(url: URL): Endpoint {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return { host: toHost(url), port }
}

/** Returns the narrowest pattern for the target of `url`. */
export function toHostPattern(url: URL): string {
  const { host, port } = toEndpoint(url)
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`
}

export function matchesName(pattern: HostPattern, endpoint: Endpoint): boolean {
  if (pattern.port !== undefined && pattern.port !== endpoint.port) return false
  if (pattern.kind === 'name') return pattern.name === endpoint.host
  return pattern.kind === 'names-below' && endpoint.host.endsWith(`.${pattern.name}`)
}

export function matchesAddress(pattern: HostPattern, address: string, port: number): boolean {
  if (pattern.kind !== 'network') return false
  if (pattern.port !== undefined && pattern.port !== port) return false
  return isIP(address) === pattern.family && pattern.network.check(address, `ipv${pattern.family}`)
}

function splitPort(entry: string): { rest: string; port: number | undefined } {
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(entry)
  if (bracketed) return { rest: bracketed[1]!, port: bracketed[2] === undefined ? undefined : Number(bracketed[2]) }
  const plain = /^([^:]*):(\d+)$/.exec(entry)
  if (plain) return { rest: plain[1]!, port: Number(plain[2]) }
  return { rest: entry, port: undefined }
}

function parseNetwork(rest: string, text: string): { network: BlockList; family: 4 | 6 } {
  const [address = '', prefix, ...more] = rest.split('/')
  const family = isIP(address)
  const bits = family === 4 ? 32 : 128
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if ((family !== 4 && family !== 6) || address.includes('%') || more.length > 0 || !(length >= 0 && length <= bits))
    throw new Error(`"${text}" is not a network like 10.0.0.0/8 or fd00::/8`)
  const network = new BlockList()
  network.addSubnet(address, length, `ipv${family}`)
  return { network, family }
}
