import type { Unresolved } from '#analysis/dependency-graph.ts'
import { shorten, textOf } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { isSameVersion } from '../archive-address.ts'
import type { Lock, Locked, Place } from './lock-tree.ts'
import { lockedAt } from './locked-package.ts'
import { behindLink, toOlderLock } from './package-lock.ts'

const MAX_NAMED = 100
const AGAIN = 'Delete package-lock.json and run npm install to write it again'

/**
 * Reports where the two trees of lockfileVersion 2 contradict each other: npm 6 and older install `dependencies`, later
 * ones `packages`, which is tested.
 */
export function findOlderTree(lock: Lock): Unresolved[] {
  if (lock.layout === 'dependencies') return []
  try {
    const older = toOlderLock(lock)
    return older === undefined ? [] : compareTrees(lock, older)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return [
      toUnresolved(
        'package-lock.json',
        '',
        `npm 6 and older install its "dependencies", which are not readable: ${error.message}`,
      ),
    ]
  }
}

function compareTrees(lock: Lock, older: Lock): Unresolved[] {
  const found: Unresolved[] = []
  const newerOf = new Map<Place, Place | undefined>([[older.tree.root, lock.tree.root]])
  let left = 0
  for (const place of older.tree.withEntry) {
    if (place.parent === undefined) continue
    const theirs = lockedAt(older, place)
    const newer = findNewer(lock, newerOf.get(place.parent), place.name)
    newerOf.set(place, newer)
    const ours = newer?.entry === undefined ? undefined : lockedAt(lock, behindLink(lock, newer) ?? newer)
    const isSameAddress = textOf(newer?.entry ?? {}, 'resolved') === textOf(place.entry!, 'version')
    if (ours !== undefined && (isSameAddress || isSamePackage(ours, theirs))) continue
    if (found.length === MAX_NAMED) left++
    else found.push(toUnresolved(theirs.name, theirs.version ?? '', reasonOf(ours, theirs)))
  }
  if (left > 0) found.push(toUnresolved('package-lock.json', '', `${left} more packages of "dependencies" differ`))
  return found
}

/** Compares packages; those outside of registries have no comparable version. */
function isSamePackage(ours: Locked, theirs: Locked): boolean {
  if (theirs.elsewhere !== undefined) return ours.elsewhere !== undefined
  if (ours.elsewhere !== undefined || ours.name !== theirs.name) return false
  if (ours.version === undefined || theirs.version === undefined) return ours.version === theirs.version
  return ours.version === theirs.version || isSameVersion(ours.version, theirs.version)
}

function reasonOf(ours: Locked | undefined, theirs: Locked): string {
  const other = shorten(`${theirs.name}@${theirs.version ?? '?'}`)
  const own = ours === undefined ? 'has nothing there' : `has ${shorten(`${ours.name}@${ours.version ?? '?'}`)}`
  return `npm 6 and older install ${other}, which the lockfile's "dependencies" hold; its "packages", which are tested, ${own}. ${AGAIN}`
}

function toUnresolved(name: string, range: string, reason: string): Unresolved {
  const requiredBy = 'package-lock.json'
  return { name: shorten(name), range: shorten(range), code: 'lockfile-contradiction', reason, requiredBy }
}

/** Finds a nested package in `packages`, which lists those of a linked folder below that folder, not below the link. */
function findNewer(lock: Lock, parent: Place | undefined, name: string): Place | undefined {
  if (parent === undefined) return undefined
  const { location } = parent.entry === undefined ? parent : (behindLink(lock, parent) ?? parent)
  return lock.tree.places.get(`${location}${location === '' ? '' : '/'}node_modules/${name}`)
}
