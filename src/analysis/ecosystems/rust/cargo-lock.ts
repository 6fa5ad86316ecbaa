import type { TomlTable, TomlValue } from 'smol-toml'
import { shorten } from '#analysis/documents/json-document.ts'
import { isTable, parseToml } from '#analysis/documents/toml.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'

/** A parsed Cargo.lock. */
export interface CargoLock {
  /** 1 if it is not written. */
  readonly version: number
  readonly entries: ReadonlyMap<string, LockEntry>
  /** Names of patches that no package uses. */
  readonly unusedPatches: ReadonlySet<string>
}

export interface LockEntry {
  readonly name: string
  readonly version: string
  /** `registry+…`, `sparse+…` or `git+…#commit`; undefined for packages in folders. */
  readonly source: string | undefined
  readonly dependencies: readonly LockedDependency[]
}

export interface LockedDependency {
  readonly name: string
  /** Key of the entry; undefined if the lock has none, or several that fit. */
  readonly key: string | undefined
}

const LAST_VERSION = 4

/** Parses a Cargo.lock of version 1 to 4. Throws `Unreadable` for later ones, as Cargo refuses them. */
export function parseCargoLock(text: string, file: 'target' | number): CargoLock {
  const document = parseToml(text, file, 'lock')
  const version = document['version'] ?? 1
  if (typeof version !== 'number' || version < 1 || version > LAST_VERSION) {
    throw new Unreadable(`Cargo.lock has version ${shorten(String(version))}; supported: 1 to ${LAST_VERSION}`, {
      file,
    })
  }
  const root = document['root']
  const written = [...(isTable(root) ? [root] : []), ...tablesIn(document['package'], file)]
  const byKey = new Map<string, WrittenEntry>()
  for (const table of written) {
    const entry = toWrittenEntry(table, file)
    const key = keyOf(entry)
    if (byKey.has(key)) throw new Unreadable(`Cargo.lock has the package ${shorten(key)} twice`, { file })
    byKey.set(key, entry)
  }
  const unused = isTable(document['patch']) ? tablesIn(document['patch']['unused'], file) : []
  return { version, entries: toEntries(byKey), unusedPatches: new Set(unused.map(({ name }) => String(name))) }
}

interface WrittenEntry extends Pick<LockEntry, 'name' | 'version' | 'source'> {
  readonly references: readonly string[]
  /** Reference to the package that `[replace]` puts in its place. */
  readonly replacement: string | undefined
}

function toWrittenEntry(table: TomlTable, file: 'target' | number): WrittenEntry {
  const { name, version, source, replace, dependencies = [] } = table
  const isText = (value: TomlValue | undefined) => typeof value === 'string' && /^\S+$/.test(value)
  if (!isText(name) || !isText(version)) {
    throw new Unreadable(`A package of Cargo.lock has no name or no version: ${shorten(String(name))}`, { file })
  }
  if (!Array.isArray(dependencies) || !dependencies.every((one) => typeof one === 'string')) {
    throw new Unreadable(`Cargo.lock: dependencies of ${shorten(String(name))} must be a list of texts`, { file })
  }
  return {
    name: String(name),
    version: String(version),
    source: source === undefined ? undefined : String(source),
    references: dependencies,
    replacement: replace === undefined ? undefined : String(replace),
  }
}

function keyOf({ name, version, source }: WrittenEntry): string {
  return source === undefined ? `${name} ${version}` : `${name} ${version} (${source})`
}

function toEntries(byKey: ReadonlyMap<string, WrittenEntry>): Map<string, LockEntry> {
  const byName = Map.groupBy(byKey.values(), ({ name }) => name)
  const toDependency = (reference: string): LockedDependency => {
    const entry = findEntry(reference, byName)
    const replaced = entry?.replacement === undefined ? entry : findEntry(entry.replacement, byName)
    return { name: reference.split(' ', 1)[0]!, key: replaced && keyOf(replaced) }
  }
  const entries = [...byKey].filter(([, { replacement }]) => replacement === undefined)
  return new Map(
    entries.map(([key, { name, version, source, references }]) => [
      key,
      { name, version, source, dependencies: references.map(toDependency) },
    ]),
  )
}

/** Finds the entry of `name`, `name version` or `name version (source)`, as much as tells it from others. */
function findEntry(reference: string, byName: ReadonlyMap<string, readonly WrittenEntry[]>): WrittenEntry | undefined {
  const [, name = '', version, source] = /^(\S+)(?: (\S+))?(?: \(([^)]*)\))?$/.exec(reference) ?? []
  const entries = (byName.get(name) ?? []).filter(
    (entry) =>
      (version === undefined || entry.version === version) &&
      (source === undefined || withoutCommit(entry.source) === withoutCommit(source)),
  )
  if (entries.length === 1) return entries[0]
  // A package in a folder has no source that would tell it from others.
  const local = entries.filter((entry) => entry.source === undefined)
  return local.length === 1 ? local[0] : undefined
}

function withoutCommit(source: string | undefined): string | undefined {
  return source?.replace(/#.*$/, '')
}

function tablesIn(value: TomlValue | undefined, file: 'target' | number): TomlTable[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every(isTable)) return value
  throw new Unreadable('The packages of Cargo.lock must be tables', { file })
}
