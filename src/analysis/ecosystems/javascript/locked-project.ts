import type { Dependency } from './dependency.ts'
import type { Found, LockEntry } from './entry-lock.ts'

/** The project itself or one of its workspaces. */
export interface Importer {
  /** The label in `requiredBy`. */
  readonly label: string
  /** Undefined when the lock does not list it. */
  readonly entry: LockEntry | undefined
  readonly dependencies: readonly Dependency[]
}

export interface LockedProject {
  readonly name: string
  readonly version: string
  readonly label: string
  readonly importers: readonly Importer[]
  /** Names of the workspaces, which need no entry. */
  readonly memberNames: ReadonlySet<string>
  /** For a lock that came alone and does not tell. */
  readonly alsoDirect: readonly LockEntry[]
  /** True for some members of a workspace: others require the rest of the lock. */
  readonly isPart: boolean
  /** True if dependents may exist outside of the sent files. */
  readonly mayHaveOtherDependents: boolean
  /** Finds the entries of a dependency. `from` is undefined for a project outside the lock. */
  find(from: LockEntry | undefined, dependency: Dependency): Found
}
