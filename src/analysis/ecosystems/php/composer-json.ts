import { isObject, type JsonObject, ownValue, rangesAt, textOf } from '#analysis/documents/json-document.ts'
import type { DependencyKind } from '../../dependency-graph.ts'

/** A parsed composer.json. */
export interface ComposerManifest {
  readonly document: JsonObject
  readonly name: string
  readonly version: string
  readonly dependencies: readonly ComposerDependency[]
  /** Names that the project replaces or provides itself. */
  readonly provided: ReadonlySet<string>
}

export interface ComposerDependency {
  readonly name: string
  readonly range: string
  readonly kind: DependencyKind
}

/** `PlatformRepository::PLATFORM_PACKAGE_REGEX` of Composer. */
const PLATFORM =
  /^(?:php(?:-64bit|-ipv6|-zts|-debug)?|hhvm|(?:ext|lib)-[a-z0-9](?:[_.-]?[a-z0-9]+)*|composer(?:-(?:plugin|runtime)-api)?)$/

/** Returns true for PHP, its extensions, libraries of the system and Composer, which are not packages. */
export function isPlatform(name: string): boolean {
  return PLATFORM.test(name)
}

/** Reads a composer.json. Names are in lower case, as Packagist has them. */
export function toManifest(document: JsonObject, file: 'target' | number): ComposerManifest {
  const where = { file, entry: '' }
  return {
    document,
    name: textOf(document, 'name')?.toLowerCase() ?? '',
    version: textOf(document, 'version') ?? '',
    dependencies: [...dependenciesAt('require', 'prod'), ...dependenciesAt('require-dev', 'dev')],
    provided: new Set([...namesAt(document, 'replace'), ...namesAt(document, 'provide')]),
  }

  function dependenciesAt(key: string, kind: DependencyKind): ComposerDependency[] {
    return rangesAt(document, key, where)
      .map(([name, range]) => ({ name: name.toLowerCase(), range, kind }))
      .filter(({ name }) => !isPlatform(name))
  }
}

function namesAt(document: JsonObject, key: string): string[] {
  const links = ownValue(document, key)
  return isObject(links) ? Object.keys(links).map((name) => name.toLowerCase()) : []
}
