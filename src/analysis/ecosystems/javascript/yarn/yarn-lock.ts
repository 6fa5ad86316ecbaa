import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Dependency } from '../dependency.ts'
import type { EntryLock, Found, LockEntry } from '../entry-lock.ts'
import type { Resolutions } from '../resolutions.ts'
import { splitAtVersion } from '../spec.ts'

export interface YarnLock extends EntryLock {
  /** True for locks that list workspaces and their dependencies. */
  readonly hasWorkspaces: boolean
  /** Finds entries. `from` is undefined for a project outside the lock. */
  find(from: LockEntry | undefined, dependency: Dependency, resolutions: Resolutions): Found
}

export function isBerryText(text: string): boolean {
  return /^\uFEFF?__metadata:/m.test(text)
}

/** Splits a name and its range or reference: `@scope/name@npm:^1.0.0`. */
export function splitDescriptor(text: string, where: { file: 'target' | number; line: number }) {
  const { name, rest } = splitAtVersion(text)
  if (name === '' || name === '@') throw new Unreadable(`Entry without a package name at line ${where.line}`, where)
  return { name, range: rest }
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
