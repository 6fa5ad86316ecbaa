import {
  isObject,
  type JsonObject,
  objectAt,
  ownValue,
  parseJsonObject,
  rangesAt,
  shorten,
  textOf,
} from '#analysis/documents/json-document.ts'
import { toPlainJson } from '#analysis/documents/lenient-json.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { parseYaml } from '#analysis/documents/yaml.ts'
import type { Dependency } from '../dependency.ts'
import type { EntryLock, Found, LockEntry } from '../entry-lock.ts'
import { workspacePatterns } from '../package-json.ts'
import { JSON_LOCK } from '../pnpm-json-lock.ts'
import { LOCAL_PATH, parseSpec } from '../spec.ts'
import { keyOf, type PathStyle, withoutPeers } from './dependency-path.ts'
import { isVersion13, readVersion13 } from './lock-13.ts'
import { type LockDocument, type LockedPackage, readPackages } from './lock-packages.ts'

/** A dependency of an importer: the declared range and the reference to which it was resolved. */
export interface Pin {
  readonly specifier: string
  readonly reference: string
}

/** A project of the workspace, by its folder. */
export interface LockImporter {
  readonly folder: string
  readonly entry: LockEntry
  readonly pins: ReadonlyMap<string, Pin>
  /** The folder to which dependents are linked instead (`publishConfig.directory`). */
  readonly publishFolder: string | undefined
}

export interface PnpmLock extends EntryLock {
  readonly importers: readonly LockImporter[]
  /** Selectors and values of the overrides for which the lock was written. */
  readonly overrides: ReadonlyMap<string, string>
  /** Settings that change packages and were applied when the lock was written. */
  readonly covers: ReadonlySet<string>
  /** Patterns of optional dependencies that pnpm does not install. */
  readonly ignoredOptional: readonly string[]
  /** False before version 9: a workspace's overrides do not change the locks of single members. */
  readonly takesOuterOverrides: boolean
  /** False before version 9: pnpm did not download runtimes. */
  readonly mayHaveRuntimes: boolean
  /** False if the lock was written without the peers of the projects. */
  readonly hasPeers: boolean
  /** Returns the range of a catalog for which the lock was written; other ranges as they are. */
  catalogRange(name: string, range: string): string
  /** Returns the importer that an entry stands for; undefined for packages. */
  importerOf(entry: LockEntry): LockImporter | undefined
  find(from: LockEntry | undefined, dependency: Dependency): Found
}

/** By lockfileVersion: pnpm 3 to 5 (5.0 to 5.2), 6, 7, 8, 9 to 12, and 12 with `lockfile.format: v13`. */
const styles = new Map<string, PathStyle>([
  ['5.0', 'slashes'],
  ['5.1', 'slashes'],
  ['5.2', 'slashes'],
  ['5.3', 'slashes'],
  ['5.4', 'slashes'],
  ['6.0', 'leading-slash'],
  ['6.1', 'leading-slash'],
  ['9.0', 'plain'],
  ['13.0', 'plain'],
])

function toUnknownVersion(version: string, file: 'target' | number): Unreadable {
  const supported = [...styles.keys()].join(', ')
  const message = `Unsupported lockfileVersion "${shorten(version)}"; supported: ${supported}. Write it again with a pnpm from 7 to 12 (pnpm install --lockfile-only)`
  return new Unreadable(message, { file })
}

/**
 * Reads a pnpm-lock.yaml (pnpm's `lockfile.types`): the projects with their declared ranges, and each package once for
 * every set of peers, with exact references instead of ranges.
 */
export function readPnpmLock(text: string, file: 'target' | number, fileName = 'pnpm-lock.yaml'): PnpmLock {
  const { content: written, own, ownPackages } = readDocuments(text, file)
  const version = textOf(written, 'lockfileVersion') ?? ''
  const style = styles.get(version) ?? styles.get(`${version}.0`)
  if (style === undefined) throw toUnknownVersion(version, file)
  const { content, packages: read } = isVersion13(version)
    ? readVersion13(written, file)
    : { content: written, packages: readPackages({ file, style, content: written }) }
  const importers = [...readImporters({ file, style, content }), ...own]
  const packages = [...ownPackages, ...read]
  const published = importers.filter(({ publishFolder }) => publishFolder !== undefined)
  const byFolder = new Map([
    ...published.map((importer) => [importer.publishFolder!, importer] as const),
    ...importers.map((importer) => [importer.folder, importer] as const),
  ])
  const byEntry = new Map(importers.map((importer) => [importer.entry, importer]))
  const entries = packages.map(({ entry }) => markCopy(entry, byFolder))
  const byKey = new Map<string, LockEntry>()
  const peers = new Map<LockEntry, ReadonlyMap<string, string>>()
  for (const [index, entry] of entries.entries()) {
    const { key, peers: declared } = packages[index]!
    byKey.set(key, entry)
    if (declared.size > 0) peers.set(entry, declared)
  }
  const links = new Map<string, LockEntry>()
  return {
    file,
    label: `${fileName} (lockfileVersion ${version})`,
    fileName,
    tool: 'pnpm',
    entries: [...importers.map(({ entry }) => entry), ...entries],
    passesOverUnfit: false,
    importers,
    overrides: new Map(rangesAt(content, 'overrides', { file, entry: '' })),
    covers: new Set([
      ...(ownValue(content, 'packageExtensionsChecksum') === undefined ? [] : ['packageExtensions']),
      ...(own.length === 0 ? [] : ['configDependencies']),
    ]),
    catalogRange: (name, range) => catalogRange(content, name, range),
    ignoredOptional: workspacePatterns(ownValue(content, 'ignoredOptionalDependencies')),
    hasPeers: textOf(objectAt(content, 'settings', { file, entry: '' }) ?? {}, 'autoInstallPeers') === 'true',
    takesOuterOverrides: style === 'plain',
    mayHaveRuntimes: style === 'plain',
    importerOf: (entry) => byEntry.get(entry),
    find(from, { name, range }) {
      const importer = from && byEntry.get(from)
      const pin = importer?.pins.get(name)
      if (from === undefined || (importer !== undefined && pin === undefined)) return { entries: [], range }
      const reference = pin?.reference ?? range
      const key = keyOf(name, reference, style)
      const entry = key === undefined ? linked(reference, importer?.folder ?? '.') : byKey.get(key)
      if (entry === undefined) return { entries: [], range: pin?.specifier ?? withoutPeers(reference, style) }
      if (pin !== undefined)
        return { entries: [entry], ...declaredBy(name, catalogRange(content, name, pin.specifier)) }
      return { entries: [entry], range: peers.get(from)?.get(name) ?? entry.version ?? reference }
    },
  }

  /** A folder: a project of the workspace, or another one, which the lock does not describe. */
  function linked(reference: string, folder: string): LockEntry {
    const target = joined(folder, reference.slice('link:'.length))
    const existing = byFolder.get(target)?.entry ?? links.get(target)
    if (existing !== undefined) return existing
    const entry: LockEntry = {
      name: target.slice(target.lastIndexOf('/') + 1) || target,
      version: undefined,
      elsewhere: LOCAL_PATH,
      source: `link:${target}`,
      doubt: undefined,
      integrity: undefined,
      workspace: undefined,
      dependencies: [],
      peers: [],
    }
    links.set(target, entry)
    return entry
  }
}

function declaredBy(name: string, range: string): Pick<Found, 'range' | 'declaredName'> {
  const spec = parseSpec(name, range)
  return { range, ...(spec.elsewhere === undefined && { declaredName: spec.name }) }
}

/** The dependencies of pnpm itself, which are no project's. */
const ownMembers = ['configDependencies', 'packageManagerDependencies']

/**
 * Reads the lock, and the document before it in which pnpm 11 and later lock their own dependencies (`envLockfile`).
 * Those come as one more importer, as dev dependencies.
 */
function readDocuments(
  written: string,
  file: 'target' | number,
): { readonly content: JsonObject; readonly own: LockImporter[]; readonly ownPackages: readonly LockedPackage[] } {
  const text = written.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const end = text.startsWith('---\n') ? text.indexOf('\n---\n', 3) : -1
  if (end === -1) return { content: parseLock(text, file), own: [], ownPackages: [] }
  const first = parseYaml(text.slice(4, end), file)
  const rest = text.slice(end + 5)
  // Blank lines keep the numbers of the lines.
  const lines = '\n'.repeat(text.slice(0, end + 5).split('\n').length - 1)
  const main =
    rest.trim() === '' ? { lockfileVersion: ownValue(first, 'lockfileVersion') } : parseLock(lines + rest, file)
  const where = { file, entry: '' }
  const both = (key: string) =>
    Object.assign(Object.create(null), objectAt(first, key, where), objectAt(main, key, where)) as JsonObject
  const importer = Object.values(objectAt(first, 'importers', where) ?? {}).find(isObject) ?? {}
  const needs = Object.assign(
    Object.create(null),
    ...ownMembers.map((member) => objectAt(importer, member, where)),
  ) as JsonObject
  const own = [readImporter('configDependencies', { devDependencies: needs }, file)]
  if (isVersion13(textOf(main, 'lockfileVersion') ?? ''))
    return { content: main, own, ownPackages: readPackages({ file, style: 'plain', content: first }) }
  return {
    content: { ...main, packages: both('packages'), snapshots: both('snapshots') },
    own,
    ownPackages: [],
  }
}

/** Parses a lock of YAML, or in the form like JSON, with a comma after each member. */
function parseLock(text: string, file: 'target' | number): JsonObject {
  return JSON_LOCK.test(text) ? parseJsonObject({ file, text: toPlainJson(text) }) : parseYaml(text, file)
}

/** Joins a folder and a relative path, without leaving what `..` cannot leave. */
function joined(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of [...(path.startsWith('/') ? [] : folder.split('/')), ...path.split('/')]) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/') || '.'
}

/** Marks a workspace that pnpm copies for its peers (`dependenciesMeta.injected`). */
function markCopy(entry: LockEntry, byFolder: ReadonlyMap<string, LockImporter>): LockEntry {
  const folder = entry.source?.startsWith('file:') ? joined('.', entry.source.slice('file:'.length)) : undefined
  return folder !== undefined && byFolder.has(folder) ? { ...entry, workspace: folder, isCopy: true } : entry
}

/** Returns the range of a catalog, which the lock repeats. */
function catalogRange(content: JsonObject, name: string, specifier: string): string {
  if (!specifier.startsWith('catalog:')) return specifier
  const catalogs = ownValue(content, 'catalogs')
  const catalog = isObject(catalogs) ? ownValue(catalogs, specifier.slice('catalog:'.length) || 'default') : undefined
  const entry = isObject(catalog) ? ownValue(catalog, name) : undefined
  return (isObject(entry) ? textOf(entry, 'specifier') : undefined) ?? specifier
}

const kinds = { dependencies: 'prod', devDependencies: 'dev', optionalDependencies: 'optional' } as const
type Member = keyof typeof kinds
const members = Object.keys(kinds) as Member[]

/** Reads `importers`, or the single project that older versions write at the top. */
function readImporters({ file, content }: LockDocument): LockImporter[] {
  const importers = objectAt(content, 'importers', { file, entry: '' })
  if (importers === undefined) return [readImporter('.', content, file)]
  return Object.entries(importers).map(([folder, importer]) => {
    if (isObject(importer)) return readImporter(joined('.', folder), importer, file)
    if (importer === '') return readImporter(joined('.', folder), {}, file)
    throw new Unreadable(`"${shorten(folder)}" in the lockfile's "importers" is not a map`, { file })
  })
}

function readImporter(folder: string, importer: JsonObject, file: 'target' | number): LockImporter {
  const where = { file, entry: folder }
  const specifiers = new Map(rangesAt(importer, 'specifiers', where))
  const pins = new Map<string, Pin>()
  const dependencies: Dependency[] = []
  for (const member of members) {
    for (const [name, value] of Object.entries(objectAt(importer, member, where) ?? {})) {
      const pin = toPin(value, specifiers.get(name))
      if (pin === undefined) {
        throw new Unreadable(`"${member}" of "${shorten(folder)}" gives no version for "${shorten(name)}"`, { file })
      }
      pins.set(name, pin)
      dependencies.push({
        name,
        range: pin.specifier,
        kind: kinds[member],
        mayBeAbsent: member === 'optionalDependencies',
      })
    }
  }
  const published = textOf(importer, 'publishDirectory')
  const publishFolder = published === undefined ? undefined : joined(folder, published)
  return { folder, pins, publishFolder, entry: importerEntry(folder, dependencies) }
}

function toPin(value: unknown, specifier: string | undefined): Pin | undefined {
  if (typeof value === 'string' && value !== '') return { reference: value, specifier: specifier ?? value }
  if (!isObject(value)) return undefined
  const reference = textOf(value, 'version')
  return reference === undefined ? undefined : { reference, specifier: textOf(value, 'specifier') ?? reference }
}

function importerEntry(folder: string, dependencies: readonly Dependency[]): LockEntry {
  return {
    name: folder,
    version: undefined,
    elsewhere: undefined,
    source: undefined,
    doubt: undefined,
    integrity: undefined,
    workspace: folder,
    dependencies,
    peers: [],
  }
}
