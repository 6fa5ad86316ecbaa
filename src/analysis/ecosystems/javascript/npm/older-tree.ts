import type { Unresolved } from '#analysis/dependency-graph.ts'
import { shorten, textOf } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { isSameVersion } from '../archive-address.ts'
import type { Lock, Locked, LockNode } from './lock-tree.ts'
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
  const unresolved: Unresolved[] = []
  const newerOf = new Map<LockNode, LockNode | undefined>([[older.tree.root, lock.tree.root]])
  let left = 0
  for (const place of older.tree.withEntry) {
    if (place.parent === undefined) continue
    const theirs = lockedAt(older, place)
    const newer = findNewer(lock, newerOf.get(place.parent), place.name)
    newerOf.set(place, newer)
    const current = newer?.entry === undefined ? undefined : lockedAt(lock, behindLink(lock, newer) ?? newer)
    const isSameAddress = textOf(newer?.entry ?? {}, 'resolved') === textOf(place.entry!, 'version')
    if (current !== undefined && (isSameAddress || isSamePackage(current, theirs))) continue
    if (unresolved.length === MAX_NAMED) left++
    else unresolved.push(toUnresolved(theirs.name, theirs.version ?? '', reasonOf(current, theirs)))
  }
  if (left > 0) unresolved.push(toUnresolved('package-lock.json', '', `${left} more packages of "dependencies" differ`))
  return unresolved
}

/** Compares packages; those outside of registries have no comparable version. */
function isSamePackage(current: Locked, theirs: Locked): boolean {
  if (theirs.elsewhere !== undefined) return current.elsewhere !== undefined
  if (current.elsewhere !== undefined || current.name !== theirs.name) return false
  if (current.version === undefined || theirs.version === undefined) return current.version === theirs.version
  return current.version === theirs.version || isSameVersion(current.version, theirs.version)
}

function reasonOf(current: Locked | undefined, theirs: Locked): string {
  const other = shorten(`${theirs.name}@${theirs.version ?? '?'}`)
  const own =
    current === undefined ? 'has nothing there' : `has ${shorten(`${current.name}@${current.version ?? '?'}`)}`
  return `npm 6 and older install ${other}, which the lockfile's "dependencies" hold; its "packages", which are tested, ${own}. ${AGAIN}`
}

function toUnresolved(name: string, range: string, reason: string): Unresolved {
  const requiredBy = 'package-lock.json'
  return { name: shorten(name), range: shorten(range), code: 'lockfile-contradiction', reason, requiredBy }
}

/** Finds a nested package in `packages`, which lists those of a linked folder below that folder, not below the link. */
function findNewer(lock: Lock, parent: LockNode | undefined, name: string): LockNode | undefined {
  if (parent === undefined) return undefined
  const { location } = parent.entry === undefined ? parent : (behindLink(lock, parent) ?? parent)
  return lock.tree.places.get(`${location}${location === '' ? '' : '/'}node_modules/${name}`)
}
