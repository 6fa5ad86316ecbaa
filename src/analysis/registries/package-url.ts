import parse from 'purl/parse'
import { splitPlatform } from '#analysis/versions/rubygems.ts'
import type { Package } from '../dependency-graph.ts'
import { factsOf, type Registry, registryFacts } from '../registry-facts.ts'

const registryOfType: ReadonlyMap<string, Registry> = new Map(
  registryFacts.map(({ purlType, name }) => [purlType, name]),
)

/** A package that a package URL names; its version is empty if the URL has none. */
export interface NamedPackage {
  readonly registry: Registry
  readonly package: Package
}

/** The reason why the package of a package URL cannot be looked up. */
export interface UnusablePackageUrl {
  readonly code: 'invalid' | 'unsupported-type'
  readonly reason: string
}

/**
 * Most package URLs need no decoding but that of an npm scope; the parser takes ten times as long. Qualifiers and
 * subpaths are skipped where they are well formed.
 */
const PLAIN =
  /^pkg:([a-z]+)\/(%40)?((?:[\w.~-]+\/)*)([\w.~-]+)(?:@([\w.~+-]+))?(?:\?[a-z][\w.-]*=[\w.~:/%+-]+(?:&[a-z][\w.-]*=[\w.~:/%+-]+)*)?(?:#[\w.~-]+(?:\/[\w.~-]+)*)?$/

/**
 * Reads a package URL (ECMA-427). Qualifiers and subpaths do not change which package is meant, and neither does the
 * platform that Syft appends to the version of a gem.
 */
export function readPackageUrl(text: string): NamedPackage | UnusablePackageUrl {
  const plain = PLAIN.exec(text)
  const parts = plain === null ? decode(text) : fromPlain(plain)
  if (parts === undefined) return { code: 'invalid', reason: 'It is not a package URL' }
  const registry = registryOfType.get(parts.type)
  if (registry === undefined) {
    return { code: 'unsupported-type', reason: `There are no advisories for packages of type ${parts.type}` }
  }
  const name = toName(registry, parts)
  if (name === undefined) return { code: 'invalid', reason: `It is not a package URL of type ${parts.type}` }
  const version = registry === 'RubyGems' ? splitPlatform(parts.version).version : parts.version
  return { registry, package: { name, version } }
}

function fromPlain([, type = '', at, namespace = '', name = '', version = '']: RegExpExecArray) {
  // A scope without a slash behind it is part of the name.
  const isScope = at !== undefined && namespace !== ''
  return {
    type,
    namespace: `${isScope ? '@' : ''}${namespace.slice(0, -1)}`,
    name: at !== undefined && !isScope ? `@${name}` : name,
    version,
  }
}

function decode(text: string) {
  // Slashes after the scheme are ignored, and the type has no case (ECMA-427 §5.6).
  const [, type, rest] = /^pkg:\/*([A-Za-z][\w.+-]*)(\/.*)$/is.exec(text) ?? []
  const parsed = type === undefined ? null : parse(`pkg:${type.toLowerCase()}${rest}`)
  if (!parsed) return undefined
  const { namespace, name, version } = parsed
  return { type: parsed.type, namespace: namespace ?? '', name, version: version ?? '' }
}

function toName(registry: Registry, { namespace, name }: { namespace: string; name: string }): string | undefined {
  if (name === '') return undefined
  const { separator, needsNamespace } = factsOf(registry)
  if (namespace === '' ? needsNamespace : separator === undefined) return undefined
  const full = namespace === '' ? name : `${namespace}${separator}${name}`
  return registry !== 'npm' || /^(?:@[^@/\s]+\/)?[^@/\s]+$/.test(full) ? full : undefined
}

/**
 * Writes a package URL (ECMA-427, with the rules of its types). npm and Go tell `JSONStream` from `jsonstream`, so both
 * keep their case (purl-spec #872); PyPI names and versions are lower-case.
 */
export function toPackageUrl(registry: Registry, { name, version }: Package): string {
  const written = registry === 'PyPI' ? version.toLowerCase() : version
  const at = version === '' ? '' : `@${encode(written)}`
  return `pkg:${factsOf(registry).purlType}/${partsOf(registry, name).map(encode).join('/')}${at}`
}

/** Namespace and name; what the specification leaves out is the name alone. */
export function partsOf(registry: Registry, name: string): string[] {
  const { separator, normalizeName } = factsOf(registry)
  const written = registry === 'PyPI' ? normalizeName!(name) : name
  return separator === undefined ? [written] : written.split(separator)
}

/** Leaves letters, digits, `.`, `-`, `_`, `~` and the colon as they are. */
function encode(text: string): string {
  const escaped = encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return escaped.replaceAll('%3A', ':')
}
