import {
  isObject,
  type JsonObject,
  objectAt,
  ownValue,
  rangesAt,
  shorten,
  textOf,
} from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { type Dependency, publishedDependencies } from '../dependency.ts'
import { isLink, type Lock, type LockNode, treeOfDependencies, treeOfPackages } from './lock-tree.ts'

/** Reads every lockfile version (npm documentation: package-lock.json). */
export function toLock(document: JsonObject, file: 'target' | number): Lock {
  const written = ownValue(document, 'lockfileVersion')
  const lockfileVersion = typeof written === 'number' ? written : 1
  const packages = objectAt(document, 'packages', { file, entry: '' })
  if (packages !== undefined && Object.keys(packages).length > 0) {
    const tree = treeOfPackages(entriesOf(packages, 'packages', file), file)
    return { file, lockfileVersion, layout: 'packages', tree, isWithoutRequires: false, document, locked: new Map() }
  }
  if (lockfileVersion >= 3 && packages === undefined) {
    throw new Unreadable(`The lockfile (lockfileVersion ${lockfileVersion}) has no "packages"`, { file })
  }
  return lockOfDependencies(document, lockfileVersion, file)
}

function lockOfDependencies(document: JsonObject, lockfileVersion: number, file: Lock['file']): Lock {
  const tree = treeOfDependencies(document, (entry, location) => nestedEntries(entry, location, file), file)
  const isWithoutRequires = !tree.withEntry.some((place) => Boolean(ownValue(place.entry!, 'requires')))
  return { file, lockfileVersion, layout: 'dependencies', tree, isWithoutRequires, document, locked: new Map() }
}

/** Reads `dependencies` beside `packages`, which older releases of npm install; undefined if there are none. */
export function toOlderLock({ document, lockfileVersion, file }: Lock): Lock | undefined {
  const dependencies = ownValue(document, 'dependencies')
  return dependencies === undefined ? undefined : lockOfDependencies(document, lockfileVersion, file)
}

/** Returns an entry's dependencies. lockfileVersion 1 does not mark optional ones. */
export function lockedDependencies(lock: Lock, place: LockNode): Dependency[] {
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

/** Returns the target of a link; undefined if the lockfile does not contain it. */
export function behindLink(lock: Lock, place: LockNode): LockNode | undefined {
  if (lock.layout === 'dependencies' || !isLink(place.entry!)) return place
  const path = (textOf(place.entry!, 'resolved') ?? '').replace(/^\.\//, '').replace(/\/$/, '')
  const target = lock.tree.places.get(path)
  return target?.entry === undefined || isLink(target.entry) ? undefined : target
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
