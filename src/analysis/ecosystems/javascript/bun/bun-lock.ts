import {
  isObject,
  type JsonObject,
  objectAt,
  ownValue,
  parseJsonObject,
  shorten,
  textOf,
} from '#analysis/documents/json-document.ts'
import { toPlainJson } from '#analysis/documents/lenient-json.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { npmVersions } from '#analysis/versions/npm.ts'
import { archiveNamedBy, isVersion } from '../archive-address.ts'
import { type Dependency, projectDependencies, publishedDependencies } from '../dependency.ts'
import type { LockEntry } from '../entry-lock.ts'
import { judgeAddress, type Stated } from '../lock-doubts.ts'
import { workspacePatterns } from '../package-json.ts'
import { type Override, parseOverrideLines } from '../pnpm/overrides.ts'
import { LOCAL_PATH, parseSpec, type Spec, splitAtVersion } from '../spec.ts'
import type { YarnLock } from '../yarn/yarn-lock.ts'
import { isApplied, readOverrideLines } from './override-lines.ts'

/** A bun.lock; the same members as a yarn.lock with workspaces. */
export interface BunLock extends YarnLock {
  readonly overrides: readonly (readonly [string, string])[]
  /** Returns the range of a catalog for which the lock was written; other ranges as they are. */
  catalogRange(name: string, range: string): string
}

/** Bun 1.2 writes 0 and 1, later releases 1 and 2, and 3 with overrides for single dependents; entries are the same. */
const versions = new Set(['0', '1', '2', '3'])

interface TreePosition {
  readonly entry: LockEntry
  /** True if it exists only inside its dependent's archive. */
  readonly isBundled: boolean
}

/**
 * Reads a bun.lock (Bun's `bun.lock.zig`): the workspaces as their package.json files declare them, and the packages by
 * their place in a tree of folders, `dependent/dependency`, where a dependency is the nearest one above.
 */
export function readBunLock(text: string, file: 'target' | number): BunLock {
  const content = parseJsonObject({ file, text: toPlainJson(text) })
  const version = String(ownValue(content, 'lockfileVersion'))
  if (!versions.has(version)) {
    const message = `Unsupported lockfileVersion "${shorten(version)}"; supported: ${[...versions].join(', ')}. Write it with a Bun that writes one of these`
    throw new Unreadable(message, { file })
  }
  const workspaces = readWorkspaces(content, file)
  const places = readPackages(content, workspaces, file)
  const keys = new Map([...places].map(([key, { entry }]) => [entry, key]))
  for (const [folder, entry] of workspaces) keys.set(entry, folder === '' ? '' : entry.name)
  const holders = holdersIn(places.keys())
  const hasBundled = [...places.values()].some(({ isBundled }) => isBundled)
  const overrides = readOverrideLines(ownValue(content, 'overrides')).filter(isApplied)
  const rules = Map.groupBy(parseOverrideLines(overrides), ({ name }) => name)
  return {
    file,
    label: `bun.lock (lockfileVersion ${version})`,
    fileName: 'bun.lock',
    tool: 'bun',
    entries: [...workspaces.values(), ...[...places.values()].map(({ entry }) => entry).filter(isPackage)],
    passesOverUnfit: false,
    hasWorkspaces: true,
    overrides,
    catalogRange: (name, range) => catalogRange(content, name, range),
    find(from, dependency) {
      const { name } = dependency
      const key = from && keys.get(from)
      const position = key === undefined ? undefined : nearest({ places, holders }, key, name)
      const ruled = rules.get(name)?.find((rule) => appliesTo(rule, from, position?.entry))
      const declared = catalogRange(content, name, ruled?.value ?? dependency.range)
      if (from === undefined || position === undefined) return { entries: [], range: declared }
      const spec = parseSpec(name, declared)
      const own =
        from.workspace === undefined ? dependency : from.dependencies.find((dependency) => dependency.name === name)
      if (own === undefined) return { entries: [], range: declared }
      // Only for a project's own dependency does Bun resolve again if the version is outside the range.
      const isJudged = from.workspace !== undefined && own.kind !== 'peer' && own.rangeWithoutDev === undefined
      const unfit = isJudged ? unfitVersion(position.entry, spec) : undefined
      const writtenFor = own.range === dependency.range ? unfit : own.range
      return {
        entries: [position.entry],
        range: declared,
        ...(spec.elsewhere === undefined && { declaredName: spec.name }),
        ...(writtenFor !== undefined && { writtenFor }),
        ...(hasBundled && position.isBundled && { isBundled: true }),
      }
    },
  }
}

/** Returns true for an override of all dependents, or of this one if the entry has the value of the override. */
function appliesTo(
  { selector, name, parent, value }: Override,
  from: LockEntry | undefined,
  entry: LockEntry | undefined,
): boolean {
  if (selector === name) return true
  if (parent !== undefined && splitAtVersion(parent).name !== from?.name) return false
  const { name: packageName, selector: range, elsewhere } = parseSpec(name, value)
  if (entry === undefined || elsewhere !== undefined) return entry?.elsewhere !== undefined
  const isSame = entry.name === packageName && entry.version !== undefined
  return isSame && (!npmVersions.isRange(range) || npmVersions.satisfies(entry.version, range))
}

/** Returns the version if the declared range does not allow it. */
function unfitVersion({ version, elsewhere, doubt }: LockEntry, spec: Spec): string | undefined {
  const { selector, elsewhere: source } = spec
  if (version === undefined || elsewhere !== undefined || doubt !== undefined || source !== undefined) return undefined
  if (!isVersion(version) || !npmVersions.isRange(selector)) return undefined
  return npmVersions.satisfies(version, selector) ? undefined : version
}

function isPackage({ workspace }: LockEntry): boolean {
  return workspace === undefined
}

interface Tree {
  readonly places: ReadonlyMap<string, TreePosition>
  /** Keys up to their last slash, and up to the slash before it: few packages contain others. */
  readonly holders: ReadonlySet<string>
}

function holdersIn(keys: Iterable<string>): ReadonlySet<string> {
  const holders = new Set<string>()
  for (const key of keys) {
    const last = key.lastIndexOf('/')
    if (last === -1) continue
    holders.add(key.slice(0, last))
    holders.add(key.slice(0, Math.max(0, key.lastIndexOf('/', last - 1))))
  }
  return holders
}

/** Returns the package that a dependent finds: below itself, else beside it, else further up. */
function nearest({ places, holders }: Tree, from: string, name: string): TreePosition | undefined {
  // A name has one slash at most, in its scope.
  const isUsual = name.indexOf('/') === name.lastIndexOf('/')
  for (let folder = from; ; folder = folderAbove(folder)) {
    const mayHold = !isUsual || folder === '' || holders.has(folder)
    const position = mayHold ? places.get(folder === '' ? name : `${folder}/${name}`) : undefined
    if (position !== undefined || folder === '') return position
  }
}

/** Removes the last name, which may have a scope. */
function folderAbove(key: string): string {
  const last = key.lastIndexOf('/')
  if (last === -1) return ''
  const before = key.lastIndexOf('/', last - 1)
  const isScoped = key[before + 1] === '@'
  return isScoped ? key.slice(0, Math.max(0, before)) : key.slice(0, last)
}

function readWorkspaces(content: JsonObject, file: 'target' | number): Map<string, LockEntry> {
  const workspaces = objectAt(content, 'workspaces', { file, entry: '' }) ?? {}
  const importers = new Map<string, LockEntry>()
  for (const [folder, workspace] of Object.entries(workspaces)) {
    if (!isObject(workspace)) {
      throw new Unreadable(`"${shorten(folder)}" in the lockfile's "workspaces" is not an object`, { file })
    }
    const dependencies = withOptionalPeers(projectDependencies(workspace, { file, entry: folder }), workspace)
    importers.set(folder, {
      ...plain,
      name: textOf(workspace, 'name') ?? folder,
      version: undefined,
      workspace: folder === '' ? '.' : folder,
      dependencies: dependencies.map((dependency) =>
        dependency.rangeWithoutDev === undefined ? dependency : { ...dependency, range: dependency.rangeWithoutDev },
      ),
    })
  }
  if (!importers.has(''))
    importers.set('', { ...plain, name: '', version: undefined, workspace: '.', dependencies: [] })
  return importers
}

const plain = {
  elsewhere: undefined,
  source: undefined,
  doubt: undefined,
  integrity: undefined,
  workspace: undefined,
  peers: [],
} as const

function withOptionalPeers(dependencies: readonly Dependency[], info: JsonObject): readonly Dependency[] {
  if (!Object.hasOwn(info, 'optionalPeers')) return dependencies
  const optional = new Set(workspacePatterns(ownValue(info, 'optionalPeers')))
  return dependencies.map((dependency) =>
    dependency.kind === 'peer' && optional.has(dependency.name) ? { ...dependency, mayBeAbsent: true } : dependency,
  )
}

function readPackages(
  content: JsonObject,
  workspaces: ReadonlyMap<string, LockEntry>,
  file: 'target' | number,
): Map<string, TreePosition> {
  const packages = objectAt(content, 'packages', { file, entry: '' }) ?? {}
  const places = new Map<string, TreePosition>()
  for (const [key, value] of Object.entries(packages)) {
    const written: readonly unknown[] = Array.isArray(value) ? value : []
    const identity = written[0]
    if (typeof identity !== 'string' || identity === '') {
      throw new Unreadable(`"${shorten(key)}" in the lockfile's "packages" has no package name`, { file })
    }
    const { name, rest: resolution } = splitAtVersion(identity)
    const folder = resolution.startsWith('workspace:') ? resolution.slice('workspace:'.length) : undefined
    const workspace = resolution === 'root:' ? workspaces.get('') : folder && workspaces.get(folder)
    const rest = written.slice(1)
    const info = rest.find(isObject) ?? {}
    const entry = workspace || toEntry({ name, resolution, rest, info }, { file, entry: key })
    places.set(key, { entry, isBundled: ownValue(info, 'bundled') === true })
  }
  return places
}

interface Written {
  readonly name: string
  readonly resolution: string
  readonly rest: readonly unknown[]
  readonly info: JsonObject
}

/** Reads a package of a registry, with the URL of its archive unless it is the default one, or of another source. */
function toEntry(
  { name, resolution, rest, info }: Written,
  where: { file: 'target' | number; entry: string },
): LockEntry {
  const integrity = rest.find((element): element is string => typeof element === 'string' && /^sha\d+-/.test(element))
  const dependencies = withOptionalPeers(publishedDependencies(info, where), info)
  const common = { integrity, workspace: undefined, dependencies, peers: [] }
  const fromRegistry = { doubt: undefined, elsewhere: undefined, source: undefined }
  const said: Stated = { name, version: resolution, tool: 'bun' }
  if (isVersion(resolution)) {
    const address = typeof rest[0] === 'string' && rest[0] !== '' ? rest[0] : undefined
    if (address === undefined) return { name, version: resolution, ...fromRegistry, ...common }
    return {
      ...common,
      ...fromRegistry,
      ...judgeAddress(said, /^https?:/i.test(address) ? address : `https://registry.invalid/${address}`),
    }
  }
  const elsewhere = /^(?:file|link|workspace):|^\.{0,2}\//.test(resolution)
    ? LOCAL_PATH
    : (parseSpec(name, resolution).elsewhere ?? 'a source that is not known')
  const isArchive = /^https?:/i.test(resolution) && archiveNamedBy(resolution, name) !== undefined
  if (isArchive)
    return { ...common, ...judgeAddress({ ...said, version: undefined }, resolution), elsewhere, source: undefined }
  return { ...common, name, version: undefined, doubt: undefined, elsewhere, source: withoutCredentials(resolution) }
}

/** Returns the range of a catalog, which the lock repeats. */
function catalogRange(content: JsonObject, name: string, range: string): string {
  if (!range.startsWith('catalog:')) return range
  const called = range.slice('catalog:'.length).trim()
  const catalogs = ownValue(content, 'catalogs')
  const catalog =
    called === '' ? ownValue(content, 'catalog') : isObject(catalogs) ? ownValue(catalogs, called) : undefined
  return (isObject(catalog) ? textOf(catalog, name) : undefined) ?? range
}
