import { isVersion } from '../archive-address.ts'

/** The spelling of keys and references: `/name/1.0.0_peers`, `/name@1.0.0(peers)`, `name@1.0.0(peers)`. */
export type PathStyle = 'slashes' | 'leading-slash' | 'plain'

/** The package that a key of `packages` or `snapshots` names. */
export interface DependencyPath {
  /** Undefined for keys that name only a source. */
  readonly name: string | undefined
  /** A version, or the source of a package that is not from a registry. */
  readonly reference: string
}

/** Parses a key (pnpm's `dependency-path`). */
export function parsePath(key: string, style: PathStyle): DependencyPath {
  const path = withoutPeers(key, style)
  if (style === 'plain') return splitAt(path) ?? { name: undefined, reference: path }
  if (path.startsWith('file:') || path.includes('://')) return { name: undefined, reference: path }
  // A key of another registry begins with its host.
  const local = path.startsWith('/') ? path.slice(1) : path.slice(path.indexOf('/') + 1)
  const parts = style === 'slashes' ? splitSlash(local) : splitAt(local)
  const isNamed = parts !== undefined && (path.startsWith('/') || isVersion(parts.reference))
  return isNamed ? parts : { name: undefined, reference: path }
}

/** Returns the key to which a reference of a dependency leads; undefined for a link. */
export function keyOf(name: string, reference: string, style: PathStyle): string | undefined {
  if (reference.startsWith('link:')) return undefined
  if (style === 'plain') return namesPackage(reference) ? reference : `${name}@${reference}`
  if (reference.startsWith('file:') || withoutPeers(reference, style).includes('/')) return reference
  return style === 'slashes' ? `/${name}/${reference}` : `/${name}@${reference}`
}

/** Removes the peers and the patch that tell copies of one package apart. */
export function withoutPeers(path: string, style: PathStyle): string {
  if (style === 'slashes') {
    const last = path.lastIndexOf('/')
    const suffix = path.indexOf('_', last)
    const isVersioned = suffix !== -1 && isVersion(path.slice(last + 1, suffix))
    return isVersioned ? path.slice(0, suffix) : path
  }
  let end = path.length
  while (path[end - 1] === ')') {
    let depth = 0
    let at = end - 1
    for (; at >= 0; at--) {
      if (path[at] === ')') depth++
      else if (path[at] === '(' && --depth === 0) break
    }
    if (at < 0) break
    end = at
  }
  return path.slice(0, end)
}

/** Returns true for `name@1.0.0`, as an alias is written, unlike `1.0.0(name@1.0.0)` or an address with a user. */
function namesPackage(reference: string): boolean {
  if (reference.startsWith('@')) return true
  const before = reference.slice(0, Math.max(0, reference.indexOf('@')))
  return before !== '' && !/[:(]/.test(before)
}

function splitAt(path: string): { name: string; reference: string } | undefined {
  const at = path.indexOf('@', 1)
  return at === -1 ? undefined : { name: path.slice(0, at), reference: path.slice(at + 1) }
}

function splitSlash(path: string): { name: string; reference: string } | undefined {
  const parts = path.split('/')
  const length = parts[0]!.startsWith('@') ? 2 : 1
  if (parts.length !== length + 1) return undefined
  return { name: parts.slice(0, length).join('/'), reference: parts[length]! }
}
