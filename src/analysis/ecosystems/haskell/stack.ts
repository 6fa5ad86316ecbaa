import { isObject, type JsonObject, ownValue, shorten, textOf } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { parseYaml } from '#analysis/documents/yaml.ts'

/** A package that Stack takes from outside of its snapshot. */
export interface StackPackage {
  readonly name: string
  /** Empty for a configuration that does not tell it. */
  readonly version: string
  /** Its source, if it is not Hackage. */
  readonly elsewhere?: string
  readonly commit?: string
}

export interface StackFile {
  readonly packages: readonly StackPackage[]
  readonly snapshots: readonly string[]
}

interface Source {
  readonly text: string
  readonly file: 'target' | number
}

/** Parses the packages and snapshots of a stack.yaml.lock. */
export function parseStackLock({ text, file }: Source): StackFile {
  const document = parseYaml(text, file)
  const packages = listAt(document, 'packages', file).map((entry) => {
    const completed = isObject(entry) ? ownValue(entry, 'completed') : undefined
    if (!isObject(completed)) throw new Unreadable('stack.yaml.lock: a package has no completed location', { file })
    return toPackage(completed, file)
  })
  const snapshots = listAt(document, 'snapshots', file).map((entry) => {
    const original = isObject(entry) ? ownValue(entry, 'original') : undefined
    return nameSnapshot(original)
  })
  return { packages, snapshots }
}

/** Parses the extra dependencies of a stack.yaml; folders of the repository are left out. */
export function parseStackYaml({ text, file }: Source): StackFile {
  const document = parseYaml(text, file)
  const packages = listAt(document, 'extra-deps', file).flatMap((entry): StackPackage | [] => {
    if (isObject(entry)) return toPackage(entry, file)
    if (typeof entry !== 'string') throw new Unreadable('stack.yaml: an extra dependency is no text', { file })
    if (/^https?:\/\//.test(entry)) return { name: shorten(entry), version: '', elsewhere: 'an archive' }
    return /^[./]|\/$|^[\w-]*[A-Za-z_][\w-]*\//.test(entry) ? [] : toHackage(entry, file)
  })
  const snapshot = ownValue(document, 'snapshot') ?? ownValue(document, 'resolver')
  return { packages, snapshots: snapshot === undefined ? [] : [nameSnapshot(snapshot)] }
}

function nameSnapshot(value: unknown): string {
  const text = isObject(value) ? (textOf(value, 'url') ?? textOf(value, 'filepath')) : value
  return typeof text === 'string' ? shorten(text) : 'the snapshot'
}

function toPackage(location: JsonObject, file: 'target' | number): StackPackage {
  const hackage = textOf(location, 'hackage')
  if (hackage !== undefined) return toHackage(hackage, file)
  const repository = ['git', 'hg', 'github', 'url', 'archive'].find((key) => textOf(location, key) !== undefined)
  const commit = textOf(location, 'commit')
  const name = textOf(location, 'name') ?? (repository && textOf(location, repository)!.replace(/^.*[/:]|\.git$/g, ''))
  if (name === undefined) throw new Unreadable('A package of Stack has no location that is read', { file })
  return {
    name: shorten(name),
    version: textOf(location, 'version') ?? '',
    elsewhere: repository === 'url' || repository === 'archive' ? 'an archive' : 'a repository',
    ...(commit !== undefined && /^[\da-f]{40}$/.test(commit) && { commit }),
  }
}

/** Parses `name-1.2@sha256:…,123`. */
function toHackage(text: string, file: 'target' | number): StackPackage {
  const [, name, version] = /^([\dA-Za-z][\w-]*?)-(\d[\d.]*)(?:@(?:sha256|rev):[\w,]+)?$/.exec(text.trim()) ?? []
  if (name !== undefined && version !== undefined) return { name, version }
  throw new Unreadable(`"${shorten(text)}" is no package of Hackage; Stack expects name-version`, { file })
}

function listAt(document: JsonObject, key: string, file: 'target' | number): readonly unknown[] {
  const list = ownValue(document, key) ?? []
  // An empty value is an empty text.
  if (list === '' || list === 'null' || list === '~') return []
  if (Array.isArray(list)) return list
  throw new Unreadable(`${key} must be a list`, { file })
}
