import { isObject, type JsonObject, objectAt, ownValue, rangesAt } from '#analysis/documents/json-document.ts'
import type { Dependency } from '../dependency.ts'
import type { LockEntry } from '../entry-lock.ts'
import { workspacePatterns } from '../package-json.ts'
import { type PathStyle, parsePath, withoutPeers } from './dependency-path.ts'
import { toEntry } from './lock-entry.ts'

/** The text of a lock, parsed. */
export interface LockDocument {
  readonly file: 'target' | number
  readonly style: PathStyle
  readonly content: JsonObject
}

const NO_PEERS: ReadonlyMap<string, string> = new Map()

export interface LockedPackage {
  readonly key: string
  readonly entry: LockEntry
  /** Declared ranges of the peers. */
  readonly peers: ReadonlyMap<string, string>
}

/** Reads `packages`; from version 9 on their dependencies are in `snapshots`, once for every set of peers. */
export function readPackages({ file, style, content }: LockDocument): LockedPackage[] {
  const packages = objectAt(content, 'packages', { file, entry: '' }) ?? {}
  const snapshots = style === 'plain' ? (objectAt(content, 'snapshots', { file, entry: '' }) ?? {}) : packages
  const lockedPackages: LockedPackage[] = []
  for (const [key, snapshot] of Object.entries(snapshots)) {
    const info = style === 'plain' ? ownValue(packages, withoutPeers(key, style)) : snapshot
    const about = isObject(info) ? info : {}
    const own = isObject(snapshot) ? snapshot : {}
    const where = { file, entry: key }
    const peers = Object.hasOwn(about, 'peerDependencies')
      ? new Map(rangesAt(about, 'peerDependencies', where))
      : NO_PEERS
    const needed = dependenciesOf(own, where, peers)
    const dependencies = Object.hasOwn(about, 'bundledDependencies') ? [...needed, ...bundledIn(about)] : needed
    const entry = toEntry({ key, path: parsePath(key, style), info: about, dependencies, style }, file)
    lockedPackages.push({ key, entry, peers })
  }
  return lockedPackages
}

function dependenciesOf(
  snapshot: JsonObject,
  where: { file: 'target' | number; entry: string },
  peers: ReadonlyMap<string, string>,
): Dependency[] {
  const dependencies = rangesAt(snapshot, 'dependencies', where).map(([name, range]): Dependency => {
    return { name, range, kind: peers.has(name) ? 'peer' : 'prod', mayBeAbsent: false }
  })
  // pnpm leaves optional packages that it cannot resolve out of this list, and refuses a lock without one that is in it.
  for (const [name, range] of rangesAt(snapshot, 'optionalDependencies', where))
    dependencies.push({ name, range, kind: 'optional', mayBeAbsent: false })
  return dependencies
}

/** pnpm does not resolve what a package brings in its archive. */
export function bundledIn(info: JsonObject): Dependency[] {
  return workspacePatterns(ownValue(info, 'bundledDependencies')).map((name) => ({
    name,
    range: '*',
    kind: 'prod',
    mayBeAbsent: false,
    isBundled: true,
  }))
}
