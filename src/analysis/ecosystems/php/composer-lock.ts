import { isObject, type JsonObject, ownValue, rangesAt, shorten, textOf } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { toBranchAlias } from './branch-alias.ts'

/** A parsed composer.lock. */
export interface ComposerLock {
  /** By name in lower case. */
  readonly entries: ReadonlyMap<string, LockEntry>
  readonly contentHash: string | undefined
}

export interface LockEntry {
  readonly name: string
  /** As written, such as `v1.2.3` or `dev-main`. */
  readonly version: string
  /** The version that counts for a branch: `2.x-dev`. */
  readonly alias: string | undefined
  /** Further versions that ranges may allow: those of the project (`dev-main as 1.0`) and of default branches. */
  readonly furtherAliases: readonly string[]
  readonly isDev: boolean
  readonly requires: readonly (readonly [name: string, range: string])[]
  /** Packages that it replaces or provides, with their versions. */
  readonly provides: readonly (readonly [name: string, version: string])[]
  readonly license: string | undefined
  readonly commit: string | undefined
  /** The source, unless a registry published it. */
  readonly elsewhere: string | undefined
  /** True for a folder of the repository, and for a package without files. */
  readonly isOwn: boolean
}

/** Parses a composer.lock. Throws `Unreadable` for another form, or a package that is there twice. */
export function parseComposerLock(document: JsonObject, file: 'target' | number): ComposerLock {
  const rootAliases = listAt(document, 'aliases', file)
  const entries = new Map<string, LockEntry>()
  for (const key of ['packages', 'packages-dev']) {
    for (const written of listAt(document, key, file)) {
      const entry = toEntry(written, { file, isDev: key === 'packages-dev', rootAliases })
      const lower = entry.name
      if (entries.has(lower)) throw new Unreadable(`composer.lock has the package ${shorten(lower)} twice`, { file })
      entries.set(lower, entry)
    }
  }
  return { entries, contentHash: textOf(document, 'content-hash') }
}

function listAt(document: JsonObject, key: string, file: 'target' | number): JsonObject[] {
  const value = ownValue(document, key)
  // Composer writes null for packages-dev if it never resolved them.
  if ((value === undefined || value === null) && key !== 'packages') return []
  if (!Array.isArray(value)) throw new Unreadable(`"${key}" must be a list`, { file })
  if (value.every(isObject)) return value
  throw new Unreadable(`"${key}" must have objects only`, { file })
}

/** `VersionParser::DEFAULT_BRANCH_ALIAS` of Composer. */
const DEFAULT_BRANCH = '9999999-dev'

interface Context {
  readonly file: 'target' | number
  readonly isDev: boolean
  readonly rootAliases: readonly JsonObject[]
}

function toEntry(written: JsonObject, { file, isDev, rootAliases }: Context): LockEntry {
  const name = textOf(written, 'name')?.toLowerCase()
  const version = textOf(written, 'version')
  if (name === undefined || version === undefined) {
    throw new Unreadable(`A package of composer.lock has no ${name === undefined ? 'name' : 'version'}`, { file })
  }
  const where = { file, entry: name }
  const requires = rangesAt(written, 'require', where)
  const isEmpty = ownValue(written, 'type') === 'metapackage' && requires.length === 0
  return {
    name,
    version,
    alias: toBranchAlias(version, written),
    furtherAliases: [
      ...rootAliases
        .filter((alias) => textOf(alias, 'package')?.toLowerCase() === name)
        .flatMap((alias) => textOf(alias, 'alias') ?? []),
      ...(ownValue(written, 'default-branch') === true ? [DEFAULT_BRANCH] : []),
    ],
    isDev,
    requires: requires.map(([required, range]) => [required.toLowerCase(), range]),
    provides: [...rangesAt(written, 'replace', where), ...rangesAt(written, 'provide', where)].map(([other, range]) => [
      other.toLowerCase(),
      range === 'self.version' ? version : range,
    ]),
    license: toLicense(ownValue(written, 'license')),
    commit: textOf(objectIn(written, 'source'), 'reference'),
    ...sourceOf(written),
    ...(isEmpty && { isOwn: true }),
  }
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = ownValue(object, key)
  return isObject(value) ? value : {}
}

/** A list means a choice. */
function toLicense(value: unknown): string | undefined {
  if (typeof value === 'string') return value || undefined
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string' && one !== '') : []
  return texts.length === 0 ? undefined : texts.join(' OR ')
}

/** Packagist and its mirrors count downloads, which other repositories and folders do not. */
const PACKAGIST = /^https?:\/\/(?:[\w-]+\.)*packagist\.\w+\//

function sourceOf(written: JsonObject): Pick<LockEntry, 'elsewhere' | 'isOwn'> {
  const dist = objectIn(written, 'dist')
  const notified = textOf(written, 'notification-url')
  const url = textOf(dist, 'url') ?? textOf(objectIn(written, 'source'), 'url')
  if (textOf(dist, 'type') === 'path') {
    const isOwn = url !== undefined && !/^(?:\.\.|[/~\\]|[a-z]+:)/i.test(url)
    return { isOwn, elsewhere: isOwn ? undefined : 'a folder outside of the repository' }
  }
  if (notified !== undefined && PACKAGIST.test(notified)) return { isOwn: false, elsewhere: undefined }
  const source = notified ?? textOf(objectIn(written, 'source'), 'url') ?? url
  return { isOwn: false, elsewhere: source === undefined ? 'an unknown source' : shorten(withoutCredentials(source)) }
}
