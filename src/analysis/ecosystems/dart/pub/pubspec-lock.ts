import { isObject, type JsonObject, ownValue, shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { parseYaml } from '#analysis/documents/yaml.ts'
import { membersAt, type PubSource, scalarAt } from './pubspec.ts'

/** A package of a pubspec.lock. */
export interface PubPackage {
  /** The name in the registry. */
  readonly name: string
  readonly version: string
  /** `direct main`, `direct dev`, `direct overridden` or `transitive`. */
  readonly dependency: string
  readonly source: PubSource
  /** The folder, repository or registry, or the name of the SDK. */
  readonly origin: string
  readonly commit?: string
}

const SOURCES = new Set<string>(['hosted', 'git', 'path', 'sdk'])
const DEPENDENCIES = new Set(['direct main', 'direct dev', 'direct overridden', 'transitive'])

/** Parses a pubspec.lock into its packages by name. Throws `Unreadable` for a file without its last part. */
export function parsePubspecLock(text: string, file: 'target' | number): ReadonlyMap<string, PubPackage> {
  const document = parseYaml(text, file)
  if (ownValue(document, 'sdks') === undefined && ownValue(document, 'sdk') === undefined) {
    throw new Unreadable('The pubspec.lock has no "sdks", so its end is missing. Run dart pub get', { file })
  }
  return new Map(
    membersAt(document, 'packages', file).map(([name, value]) => {
      if (!isObject(value)) throw new Unreadable(`"${shorten(name)}" of "packages" is not a map`, { file })
      return [name, toPackage(name, value, file)]
    }),
  )
}

function toPackage(name: string, value: JsonObject, file: 'target' | number): PubPackage {
  const [source, dependency] = [scalarAt(value, 'source'), scalarAt(value, 'dependency') || 'transitive']
  if (!SOURCES.has(source)) {
    throw new Unreadable(`"${shorten(name)}" has the unknown source "${shorten(source)}"`, { file })
  }
  if (!DEPENDENCIES.has(dependency)) {
    throw new Unreadable(`"${shorten(name)}" has the unknown kind "${shorten(dependency)}"`, { file })
  }
  const written = ownValue(value, 'description')
  const description: JsonObject = isObject(written) ? written : {}
  const commit = scalarAt(description, 'resolved-ref')
  return {
    name: scalarAt(description, 'name') || name,
    version: scalarAt(value, 'version'),
    dependency,
    source: source as PubSource,
    origin: typeof written === 'string' ? written : scalarAt(description, source === 'path' ? 'path' : 'url'),
    ...(commit !== '' && { commit }),
  }
}
