import { type JsonObject, ownValue, shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Doubt } from '../lock-doubts.ts'

/** A folder in a lockfile's tree: the project, a local package, or an entry of a `node_modules`. */
export interface LockNode {
  readonly location: string
  /** The folder's name, by which dependents find it. */
  readonly name: string
  /** The next folder of the search for a dependency; undefined for the project and folders outside it. */
  readonly parent: LockNode | undefined
  readonly depth: number
  /** True for a folder outside of any `node_modules`. */
  readonly isFolder: boolean
  children: Map<string, LockNode> | undefined
  /** Undefined for a folder that only occurs within other paths. */
  entry: JsonObject | undefined
}

export interface LockTree {
  readonly root: LockNode
  /** By location; lockfileVersion 1 has none. */
  readonly places: ReadonlyMap<string, LockNode>
  /** In file order. */
  readonly withEntry: readonly LockNode[]
}

const maxDepth = 200
const longestLocation = 16_384
const longestSearch = 2_000_000

/** Builds the tree of `packages` (lockfileVersion 2 and 3), whose keys are paths relative to the project. */
export function treeOfPackages(packages: [string, JsonObject][], file: 'target' | number): LockTree {
  const places = new Map<string, LockNode>([['', newPlace('', undefined, undefined)]])
  const withEntry: LockNode[] = []
  for (const [location, entry] of packages) {
    if (location.length > longestLocation) throw tooDeep(file)
    if (!isNormal(location)) throw twoNames(location, file)
    const place = placeAt(location, places, file)
    place.entry = entry
    withEntry.push(place)
  }
  return { root: places.get('')!, places, withEntry }
}

/** Builds the tree of nested `dependencies` (lockfileVersion 1). */
export function treeOfDependencies(
  nested: JsonObject,
  dependenciesOf: (entry: JsonObject, location: string) => [string, JsonObject][],
  file: 'target' | number,
): LockTree {
  const root = newPlace('', undefined, undefined)
  root.entry = nested
  const withEntry = [root]
  for (const place of withEntry) {
    for (const [name, entry] of dependenciesOf(place.entry!, place.location)) {
      if (place.depth >= maxDepth) throw tooDeep(file)
      if (name === '') throw nameless(file)
      const location = place === root ? name : `${place.location} > ${name}`
      const child = newPlace(location, name, place)
      child.entry = entry
      adopt(place, child)
      withEntry.push(child)
    }
  }
  return { root, places: new Map([['', root]]), withEntry }
}

/**
 * Finds dependencies as Node.js does: in the dependent's `node_modules`, then in that of each folder above. The depth
 * of the tree limits each search and a counter all of them, so that no file can stall a test.
 */
export function createSearch(file: 'target' | number): (from: LockNode, name: string) => LockNode | undefined {
  let steps = 0
  return (from, name) => {
    for (let place: LockNode | undefined = from; place !== undefined; place = place.parent) {
      if (++steps > longestSearch) {
        throw new Unreadable(`The lockfile takes more than ${longestSearch} look-ups to follow`, { file })
      }
      const child = place.children?.get(name)
      if (child?.entry !== undefined) return child
    }
    return undefined
  }
}

function placeAt(location: string, places: Map<string, LockNode>, file: 'target' | number): LockNode {
  const missing: string[] = []
  let current = location
  while (!places.has(current)) {
    missing.push(current)
    if (missing.length > maxDepth) throw tooDeep(file)
    current = containerOf(current)
    if (current === outside) break
  }
  let parent = current === outside ? undefined : places.get(current)
  for (const next of missing.reverse()) {
    const name = nameOf(next)
    if (name === '') throw nameless(file)
    const place = newPlace(next, name, parent)
    if (place.depth > maxDepth) throw tooDeep(file)
    if (name !== undefined && parent !== undefined) adopt(parent, place)
    places.set(next, place)
    parent = place
  }
  return places.get(location)!
}

/**
 * Matches empty and dot segments, with which two keys may name one folder. Only leading `..` segments are unambiguous.
 */
const dots = /(?:^|\/)\.{0,2}(?:\/|$)/

function isNormal(location: string): boolean {
  if (location === '' || location.endsWith('node_modules/') || !dots.test(location)) return true
  const steps = location.replace(/^\/|^(?:\.\.(?:\/|$))+/, '').split('/')
  return steps.every((step) => step !== '' && step !== '.' && step !== '..') || /^\.\.(?:\/\.\.)*$/.test(location)
}

const outside = '..'

/** Returns the folder in which the search continues. */
function containerOf(location: string): string {
  const start = startOfName(location)
  if (start !== undefined) return start === 0 ? '' : location.slice(0, start - 1)
  if (location.startsWith('../') || location.startsWith('/')) return outside
  const slash = location.lastIndexOf('/')
  return slash === -1 ? '' : location.slice(0, slash)
}

function nameOf(location: string): string | undefined {
  const start = startOfName(location)
  return start === undefined ? undefined : location.slice(start + 'node_modules/'.length)
}

/**
 * Returns the start of the last `node_modules/` if a package name follows; otherwise the location is a plain folder.
 */
function startOfName(location: string): number | undefined {
  const start = location.lastIndexOf('node_modules/')
  if (start === -1 || (start > 0 && location[start - 1] !== '/')) return undefined
  const name = location.slice(start + 'node_modules/'.length)
  const slashes = name.split('/').length - 1
  return slashes === (name.startsWith('@') ? 1 : 0) ? start : undefined
}

function newPlace(location: string, name: string | undefined, parent: LockNode | undefined): LockNode {
  return {
    location,
    name: name ?? location,
    parent,
    depth: parent === undefined ? 0 : parent.depth + 1,
    isFolder: name === undefined,
    children: undefined,
    entry: undefined,
  }
}

function adopt(parent: LockNode, child: LockNode): void {
  parent.children ??= new Map()
  parent.children.set(child.name, child)
}

function nameless(file: 'target' | number): Unreadable {
  return new Unreadable('The lockfile holds a package without a name', { file })
}

function twoNames(location: string, file: 'target' | number): Unreadable {
  const reason = `The lockfile gives "${shorten(location)}" as a folder, which npm writes in another way`
  return new Unreadable(`${reason}. Run npm install to write the lockfile again`, { file })
}

function tooDeep(file: 'target' | number): Unreadable {
  return new Unreadable(`The lockfile exceeds the depth limit of ${maxDepth}`, { file })
}

/** A package-lock.json or npm-shrinkwrap.json, which have the same format. */
export interface Lock {
  readonly file: 'target' | number
  readonly lockfileVersion: number
  /** The member that was read: `packages` since lockfileVersion 2, nested `dependencies` before. */
  readonly layout: 'packages' | 'dependencies'
  readonly tree: LockTree
  /** True if entries do not list their dependencies (npm before 5): then all count as needed. */
  readonly isWithoutRequires: boolean
  readonly document: JsonObject
  /** Packages of the entries read so far. */
  readonly locked: Map<LockNode, Locked>
}

/** Returns true for any truthy `link`, as npm does. */
export function isLink(entry: JsonObject): boolean {
  return Boolean(ownValue(entry, 'link'))
}

/** The package that npm installs for a lockfile entry, even if the entry states another one. */
export interface Locked {
  /** The name in the registry; differs from the folder's for an alias. */
  readonly name: string
  /**
   * The printable source, which is not a valid version, if the lockfile has only a source; undefined if it has neither.
   */
  readonly version: string | undefined
  readonly license: string | undefined
  /** The source if it is not a registry, without credentials. */
  readonly elsewhere: string | undefined
  /** The reason for which the entry cannot be trusted. */
  readonly doubt: Doubt | undefined
  /** Digest of the archive (Subresource Integrity). */
  readonly integrity: string | undefined
}
