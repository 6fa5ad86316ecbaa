import { isObject, type JsonObject } from '#analysis/documents/json-document.ts'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { PackageMetadata, VersionMetadata } from '#analysis/registries/npm.ts'

const MAX_KEY_CHARACTERS = 256
const MAX_VALUE_CHARACTERS = 1_024

/**
 * Parses the parts of a packument that resolution needs, full or abbreviated (npm's package-metadata documentation).
 * Drops members of a wrong type in the untrusted document, but never a dependency. Does not read dependencies given as
 * a list, engines and platforms. The abbreviated form has no licenses.
 */
export function parsePackument(document: Buffer, name: string): PackageMetadata {
  const packument = parseObject(document, name)
  if (packument['name'] !== name)
    throw new RegistryUnreachable(`the registry answered for another package than ${name}`)
  const versions = entries(packument['versions']).flatMap(([version, manifest]) =>
    isObject(manifest) ? [[version, toVersion(manifest)] as const] : [],
  )
  return { name, tags: strings(packument['dist-tags']), versions: toRecord(versions) }
}

function parseObject(document: Buffer, name: string): JsonObject {
  let parsed: unknown
  try {
    parsed = JSON.parse(document.toString('utf8'))
  } catch {
    throw new RegistryUnreachable(`the registry's answer for ${name} is not JSON`)
  }
  if (!isObject(parsed)) throw new RegistryUnreachable(`the registry's answer for ${name} is not a package document`)
  return parsed
}

function toVersion(manifest: JsonObject): VersionMetadata {
  const license = toLicense(manifest['license'] ?? manifest['licenses'])
  const bundled = bundledIn(manifest)
  return {
    dependencies: ranges(manifest['dependencies']),
    optionalDependencies: ranges(manifest['optionalDependencies']),
    peerDependencies: ranges(manifest['peerDependencies']),
    optionalPeers: entries(manifest['peerDependenciesMeta']).flatMap(([peer, meta]) =>
      isObject(meta) && meta['optional'] === true ? [peer] : [],
    ),
    ...(bundled.length === 0 ? {} : { bundled }),
    deprecated:
      typeof manifest['deprecated'] === 'string' ? manifest['deprecated'] !== '' : manifest['deprecated'] === true,
    ...(license === undefined ? {} : { license }),
  }
}

/**
 * Reads a list of names, an object by name, or `true` for all; older packages call the member `bundledDependencies`.
 */
function bundledIn(manifest: JsonObject): string[] {
  const said = manifest['bundleDependencies'] ?? manifest['bundledDependencies']
  const all = ['dependencies', 'optionalDependencies'].flatMap((kind) => entries(manifest[kind]).map(([name]) => name))
  if (said === true) return [...new Set(all)]
  const names = new Set<unknown>(Array.isArray(said) ? said : entries(said).map(([name]) => name))
  return [...new Set(all.filter((name) => names.has(name)))]
}

/** Reads `"MIT"`, or the older `{ "type": "MIT" }` and `[{ "type": "MIT" }, …]`; a list means a choice. */
function toLicense(value: unknown): string | undefined {
  const words = (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
    const word = isObject(one) ? one['type'] : one
    return typeof word === 'string' && word !== '' && word.length <= MAX_VALUE_CHARACTERS ? [word] : []
  })
  return words.length > 1 ? `(${words.join(' OR ')})` : words[0]
}

/** Reads ranges. A range that is not text becomes one that no version satisfies, so that the dependency is not lost. */
function ranges(value: unknown): Record<string, string> {
  return toRecord(
    entries(value).map(([name, range]) => [name, typeof range === 'string' ? cut(range) : unusable(range)]),
  )
}

function unusable(range: unknown): string {
  return `unusable:${cut(JSON.stringify(range))}`
}

function cut(text: string): string {
  return text.length <= MAX_VALUE_CHARACTERS ? text : `unusable:${text.slice(0, MAX_VALUE_CHARACTERS)}`
}

function strings(value: unknown): Record<string, string> {
  const texts = entries(value).flatMap(([key, text]) =>
    typeof text === 'string' && text.length <= MAX_VALUE_CHARACTERS ? [[key, text] as const] : [],
  )
  return toRecord(texts)
}

/**
 * Returns own entries with safe keys. `__proto__` is neither a package name nor a version, and dangerous when copied.
 */
function entries(value: unknown): [string, unknown][] {
  if (!isObject(value)) return []
  return Object.entries(value).filter(([key]) => key.length <= MAX_KEY_CHARACTERS && key !== '__proto__')
}

function toRecord<T>(from: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(from)
}
