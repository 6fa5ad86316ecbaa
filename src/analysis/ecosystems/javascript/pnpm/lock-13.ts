import { isObject, type JsonObject, objectAt, ownValue, textOf } from '#analysis/documents/json-document.ts'
import type { Dependency } from '../dependency.ts'
import { splitAtVersion } from '../spec.ts'
import { parsePath } from './dependency-path.ts'
import { toEntry } from './lock-entry.ts'
import { bundledIn, type LockedPackage } from './lock-packages.ts'

/** The experimental format of pnpm 12 (`lockfile.format: v13`). */
export function isVersion13(version: string): boolean {
  return version === '13.0'
}

/**
 * Reads a lock of version 13: returns its other members as version 9 has them, and its packages. Each is there once; the
 * dependencies of all its sets of peers count, since which set a dependent gets is not written.
 */
export function readVersion13(
  content: JsonObject,
  file: 'target' | number,
): { readonly content: JsonObject; readonly packages: LockedPackage[] } {
  const where = { file, entry: '' }
  const settings = objectAt(content, 'settings', where) ?? {}
  const packages = objectAt(content, 'packages', where) ?? {}
  const projects = objectAt(content, 'projects', where) ?? {}
  const context: Context = {
    file,
    keys: new Set(Object.keys(packages)),
    copies: copiesIn(Object.keys(packages)),
    catalogs: objectAt(settings, 'catalogs', where) ?? {},
    folders: new Map(Object.entries(projects).flatMap(([folder, project]) => nameOf(project, folder))),
  }
  const importers = Object.entries(projects).map(([folder, project]) => [folder, toImporter(project, folder, context)])
  return {
    content: {
      ...settings,
      lockfileVersion: content['lockfileVersion'],
      settings: Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value)])),
      catalogs: toCatalogs(context),
      importers: Object.fromEntries(importers),
    },
    packages: Object.entries(packages).map(([key, info]) => toPackage(key, isObject(info) ? info : {}, file)),
  }
}

interface Context {
  readonly file: 'target' | number
  readonly keys: ReadonlySet<string>
  readonly catalogs: JsonObject
  /** The keys of copied projects, by their names. */
  readonly copies: ReadonlyMap<string, string>
  /** Folders by the names of their projects, as far as they are written. */
  readonly folders: ReadonlyMap<string, string>
}

function copiesIn(keys: readonly string[]): Map<string, string> {
  const copied = keys.filter((key) => key.includes('@file:')).reverse()
  return new Map(copied.map((key) => [key.slice(0, key.indexOf('@file:')), key]))
}

/** Returns the name of a project, which is written if it is not that of the folder and something requires it. */
function nameOf(project: unknown, folder: string): [name: string, folder: string][] {
  const written = isObject(project) ? textOf(project, 'name') : undefined
  return written === undefined ? [] : [[written, folder]]
}

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const

function toImporter(project: unknown, folder: string, context: Context): unknown {
  if (!isObject(project)) return project
  const where = { file: context.file, entry: folder }
  const members = kinds.map((kind) => {
    const list = Object.entries(objectAt(project, kind, where) ?? {})
    return [kind, Object.fromEntries(list.map(([name, value]) => [name, toPin(name, value, { folder, context })]))]
  })
  return { ...project, ...Object.fromEntries(members) }
}

interface FolderContext {
  readonly folder: string
  readonly context: Context
}

/** Adds the version that a text alone tells: exact ones, of catalogs, aliases and projects of the workspace. */
function toPin(name: string, value: unknown, place: FolderContext): unknown {
  return typeof value === 'string' ? { specifier: value, version: toReference(name, value, place) } : value
}

function toReference(name: string, specifier: string, place: FolderContext): string {
  const { catalogs, keys } = place.context
  const [protocol = '', rest = ''] = specifier.split(/:(.*)/s)
  if (protocol === 'catalog') {
    const catalog = ownValue(catalogs, rest || 'default')
    const entry = isObject(catalog) ? ownValue(catalog, name) : undefined
    if (isObject(entry)) return textOf(entry, 'version') ?? specifier
    return typeof entry === 'string' ? toReference(name, entry, place) : specifier
  }
  if (protocol === 'workspace') return toProject(name, rest, place)
  if (protocol === 'npm') return rest
  const { name: own, rest: version } = splitAtVersion(rest)
  const key = version === '' ? `${name}@${protocol}:${rest}` : `${own}@${protocol}:${version}`
  return specifier.includes(':') && keys.has(key) ? key : specifier
}

/** Finds a project of the workspace: its folder, or the copy that dependents get (`injected`). */
function toProject(name: string, range: string, { folder, context: { folders, copies } }: FolderContext): string {
  if (/^\.{1,2}\//.test(range)) return `link:${range}`
  const parts = splitAtVersion(range)
  const project = parts.rest === '' ? name : parts.name
  const target = folders.get(project)
  if (target !== undefined) return `link:${folder === '.' ? '.' : folder.replace(/[^/]+/g, '..')}/${target}`
  return copies.get(project) ?? `workspace:${range}`
}

function toCatalogs({ catalogs }: Context): JsonObject {
  const toEntryOf = (value: unknown) => (typeof value === 'string' ? { specifier: value, version: value } : value)
  return Object.fromEntries(
    Object.entries(catalogs).map(([name, catalog]) => [
      name,
      Object.fromEntries(
        Object.entries(isObject(catalog) ? catalog : {}).map(([key, value]) => [key, toEntryOf(value)]),
      ),
    ]),
  )
}

function toPackage(key: string, info: JsonObject, file: 'target' | number): LockedPackage {
  const where = { file, entry: key }
  const snapshots = ownValue(info, 'snapshots')
  const sets = [info, ...(Array.isArray(snapshots) ? snapshots.filter(isObject) : [])]
  const needed = sets.flatMap((set) =>
    members.flatMap(([member, kind]) =>
      Object.entries(objectAt(set, member, where) ?? {}).flatMap(([name, value]): Dependency[] => {
        const range = isObject(value) ? textOf(value, 'version') : member === 'peerDependencies' ? undefined : value
        return typeof range === 'string' ? [{ name, range, kind, mayBeAbsent: false }] : []
      }),
    ),
  )
  const unique = [
    ...new Map(needed.map((dependency) => [`${dependency.name} ${dependency.range}`, dependency])).values(),
  ]
  const dependencies = Object.hasOwn(info, 'bundledDependencies') ? [...unique, ...bundledIn(info)] : unique
  const peers = Object.entries(objectAt(info, 'peerDependencies', where) ?? {}).map(([name, value]) => {
    const range = isObject(value) ? textOf(value, 'specifier') : value
    return [name, typeof range === 'string' ? range : '*'] as const
  })
  const integrity = textOf(info, 'integrity')
  const resolution = { ...(integrity !== undefined && { integrity }), ...objectAt(info, 'resolution', where) }
  const written = { key, path: parsePath(key, 'plain'), info: { ...info, resolution }, dependencies, style: 'plain' }
  return { key, entry: toEntry({ ...written, style: 'plain' }, file), peers: new Map(peers) }
}

const members = [
  ['dependencies', 'prod'],
  ['optionalDependencies', 'optional'],
  ['peerDependencies', 'peer'],
] as const
