import { Unreadable } from '../ecosystem.ts'
import type { Dependency } from '../npm/dependency.ts'
import type { Doubt } from '../npm/lock-doubts.ts'
import { splitAtVersion } from '../npm/spec.ts'
import type { Resolutions } from './resolutions.ts'

/** One package, or one workspace, of a yarn.lock. */
export interface LockEntry {
  /** As in the registry: another one than the dependency's for an alias. */
  readonly name: string
  /** Undefined when the lock tells none. */
  readonly version: string | undefined
  /** For the sentence "comes from …"; undefined when it comes from the registry. */
  readonly elsewhere: string | undefined
  /** Its source in the lock's own words, where no version is known; safe to show. */
  readonly source: string | undefined
  /** Why the entry cannot be taken at its word. */
  readonly doubt: Doubt | undefined
  /** The digest of the archive (Subresource Integrity). */
  readonly integrity: string | undefined
  /** The folder, when it is a workspace of the project. */
  readonly workspace: string | undefined
  readonly dependencies: readonly Dependency[]
  /** What it expects its dependents to bring. */
  readonly peers: readonly Peer[]
}

export interface Peer {
  readonly name: string
  readonly range: string
}

/** A range of a dependent, where `resolutions` and the dependent's own place were taken into account. */
export interface Found {
  /** More than one where only the name is known (ranges of a catalog); none when the lock has no entry. */
  readonly entries: readonly LockEntry[]
  /** What was looked for, when a resolution rules; else as declared. */
  readonly range: string
}

export interface YarnLock {
  readonly file: 'target' | number
  /** For `filesRead`. */
  readonly label: string
  readonly entries: readonly LockEntry[]
  /** True for the kind of lock that lists the workspaces and what they ask for. */
  readonly hasWorkspaces: boolean
  /** `from` is undefined for a project that the lock does not list. */
  find(from: LockEntry | undefined, wanted: Dependency, resolutions: Resolutions): Found
}

export function isBerryText(text: string): boolean {
  return /^\uFEFF?__metadata:/m.test(text)
}

/** A name and a range or reference: `@scope/name@npm:^1.0.0`. */
export function splitDescriptor(text: string, where: { file: 'target' | number; line: number }) {
  const { name, rest } = splitAtVersion(text)
  if (name === '' || name === '@') throw new Unreadable(`An entry is for no package at line ${where.line}`, where)
  return { name, range: rest }
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
