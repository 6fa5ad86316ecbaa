import { npmVersions } from '#analysis/versions/npm.ts'
import { Unreadable } from '../ecosystem.ts'
import { type Dependency, publishedDependencies } from './dependency.ts'
import { isObject, type JsonObject, objectAt, ownValue, rangesAt, shorten, textOf } from './json-document.ts'
import { type LockTree, type Place, treeOfDependencies, treeOfPackages } from './lock-tree.ts'
import { isGitOrLocal, parseSpec, splitAtVersion, withoutCredentials } from './spec.ts'

/** A package-lock.json or npm-shrinkwrap.json, which are the same. */
export interface Lock {
  readonly file: 'target' | number
  readonly lockfileVersion: number
  /** The member that was read: `packages` since lockfileVersion 2, nested `dependencies` before. */
  readonly layout: 'packages' | 'dependencies'
  readonly tree: LockTree
  /** True when the entries do not say what they require (npm before 5): then everything in it counts as needed. */
  readonly isWithoutRequires: boolean
  readonly document: JsonObject
}

/** What an entry says of its package. */
export interface Locked {
  /** As in the registry; differs from the folder's for an alias. */
  readonly name: string
  /**
   * Where the lockfile knows no version but knows a source, that source stands here, safe to show and no valid
   * version; undefined when it knows neither.
   */
  readonly version: string | undefined
  readonly licence: string | undefined
  /** Where it comes from when that is not a registry, safe to show. */
  readonly elsewhere: string | undefined
}

/** Tells the two kinds of file apart by what is in them, since their names are not sent. */
export function isLock(document: JsonObject): boolean {
  if (Object.hasOwn(document, 'lockfileVersion') || isObject(ownValue(document, 'packages'))) return true
  const dependencies = ownValue(document, 'dependencies')
  return isObject(dependencies) && Object.values(dependencies).some(isObject)
}

/** Reads all lockfile versions (npm documentation: package-lock.json). */
export function toLock(document: JsonObject, file: 'target' | number): Lock {
  const written = ownValue(document, 'lockfileVersion')
  const lockfileVersion = typeof written === 'number' ? written : 1
  const packages = objectAt(document, 'packages', { file, entry: '' })
  if (packages !== undefined && Object.keys(packages).length > 0) {
    const tree = treeOfPackages(entriesOf(packages, 'packages', file), file)
    return { file, lockfileVersion, layout: 'packages', tree, isWithoutRequires: false, document }
  }
  if (lockfileVersion >= 3 && packages === undefined) {
    throw new Unreadable(`The lockfile (lockfileVersion ${lockfileVersion}) has no "packages"`, { file })
  }
  const tree = treeOfDependencies(document, (entry, location) => nestedEntries(entry, location, file), file)
  const isWithoutRequires = !tree.withEntry.some((place) => Boolean(ownValue(place.entry!, 'requires')))
  return { file, lockfileVersion, layout: 'dependencies', tree, isWithoutRequires, document }
}

/** What the entry at a place asks for. In lockfileVersion 1 optional dependencies cannot be told from others. */
export function lockedDependencies(lock: Lock, place: Place): Dependency[] {
  const where = { file: lock.file, entry: place.location }
  if (lock.layout === 'packages') return publishedDependencies(place.entry!, where)
  if (lock.isWithoutRequires) {
    return [...(place.children?.values() ?? [])].map(({ name, entry }) => ({
      name,
      range: textOf(entry!, 'version') ?? '*',
      kind: 'prod',
      mayBeAbsent: true,
    }))
  }
  if (!isObject(ownValue(place.entry!, 'requires'))) return []
  return rangesAt(place.entry!, 'requires', where).map(([name, range]) => ({
    name,
    range,
    kind: 'prod',
    mayBeAbsent: false,
  }))
}

export function lockedAt(lock: Lock, place: Place): Locked {
  const entry = place.entry!
  return lock.layout === 'packages' ? lockedPackage(place, entry) : lockedDependency(place, entry)
}

/** The place that stands behind a link; undefined when the lockfile does not hold it. */
export function behindLink(lock: Lock, place: Place): Place | undefined {
  if (lock.layout === 'dependencies' || ownValue(place.entry!, 'link') !== true) return place
  const path = (textOf(place.entry!, 'resolved') ?? '').replace(/^\.\//, '').replace(/\/$/, '')
  const target = lock.tree.places.get(path)
  return target?.entry === undefined || ownValue(target.entry, 'link') === true ? undefined : target
}

function lockedPackage(place: Place, entry: JsonObject): Locked {
  const resolved = textOf(entry, 'resolved')
  const source = place.isFolder ? `file:${place.location}` : resolved
  const elsewhere = source !== undefined && isGitOrLocal(source) ? withoutCredentials(source) : undefined
  return {
    name: textOf(entry, 'name') || place.name.slice(place.isFolder ? place.name.lastIndexOf('/') + 1 : 0),
    version: textOf(entry, 'version') ?? elsewhere,
    licence: licenceOf(entry),
    elsewhere,
  }
}

function lockedDependency(place: Place, entry: JsonObject): Locked {
  const { name } = place
  const version = textOf(entry, 'version')
  const plain = { name, version, licence: licenceOf(entry), elsewhere: undefined }
  if (version === undefined || plainVersion.test(version) || npmVersions.isValid(version)) return plain
  if (version.startsWith('npm:')) {
    const { name: real, rest } = splitAtVersion(version.slice(4))
    return { ...plain, name: real || name, version: rest === '' ? undefined : rest }
  }
  if (parseSpec(name, version).elsewhere === undefined) return plain
  const elsewhere = withoutCredentials(version)
  return { ...plain, version: versionInTarballName(name, version) ?? elsewhere, elsewhere }
}

/** Most versions, told without reading them as npm does. */
const plainVersion = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/

/** `…/name-1.2.3.tgz` tells a version, as npm too concludes. */
function versionInTarballName(name: string, address: string): string | undefined {
  const end = /\.(?:tgz|tar\.gz|tar)(?:[?#]|$)/.exec(address)
  if (end === null) return undefined
  const fileName = address.slice(address.lastIndexOf('/', end.index) + 1, end.index)
  const prefix = `${name.slice(name.lastIndexOf('/') + 1)}-`
  if (!fileName.startsWith(prefix)) return undefined
  const version = fileName.slice(prefix.length)
  return npmVersions.isValid(version) ? version : undefined
}

function licenceOf(entry: JsonObject): string | undefined {
  const licence = ownValue(entry, 'license')
  return isObject(licence) ? textOf(licence, 'type') : textOf(entry, 'license')
}

function nestedEntries(entry: JsonObject, location: string, file: 'target' | number): [string, JsonObject][] {
  const nested = objectAt(entry, 'dependencies', { file, entry: location })
  return nested === undefined ? [] : entriesOf(nested, 'dependencies', file)
}

function entriesOf(entries: JsonObject, key: string, file: 'target' | number): [string, JsonObject][] {
  return Object.entries(entries).map(([name, entry]) => {
    if (isObject(entry)) return [name, entry]
    throw new Unreadable(`"${shorten(name)}" in the lockfile's "${key}" is not an object`, { file })
  })
}
