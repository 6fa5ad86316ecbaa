import type { Dependency } from './dependency.ts'
import type { Doubt } from './lock-doubts.ts'

/** A package or a workspace in a lockfile that lists each package once, wherever it is installed. */
export interface LockEntry {
  /** The name in the registry; differs from the dependency's for an alias. */
  readonly name: string
  /** Undefined if the lock does not state it. */
  readonly version: string | undefined
  /** The source, for the sentence "comes from …"; undefined for the registry. */
  readonly elsewhere: string | undefined
  /** Its source in the lock's words if no version is known; without credentials. */
  readonly source: string | undefined
  /** The reason for which the entry cannot be trusted. */
  readonly doubt: Doubt | undefined
  /** Digest of the archive (Subresource Integrity). */
  readonly integrity: string | undefined
  /** The folder of a workspace. */
  readonly workspace: string | undefined
  /** True for a copy of a workspace with dependencies of its own (pnpm's `injected`). */
  readonly isCopy?: true
  readonly dependencies: readonly Dependency[]
  /** The peers that dependents must provide. */
  readonly peers: readonly Peer[]
}

export interface Peer {
  readonly name: string
  readonly range: string
}

/** The entries for a dependent's range. */
export interface Found {
  /** Several if only the name is known (ranges of a catalog); none if the lock has no entry. */
  readonly entries: readonly LockEntry[]
  /** The range that applies: that of a replacement, else the declared one. */
  readonly range: string
  /** The range for which the lock was written, if it is another one. */
  readonly writtenFor?: string
  /** The package that the declared range names, if the lock tells the range. */
  readonly declaredName?: string
  /** True if the package is inside its dependent's archive, so that its version is a guess. */
  readonly isBundled?: boolean
}

export interface EntryLock {
  readonly file: 'target' | number
  /** Label in `filesRead`. */
  readonly label: string
  /** Its usual name, or the one that pnpm gives to the lock of a git branch. */
  readonly fileName: string
  readonly tool: 'yarn' | 'pnpm' | 'bun'
  readonly entries: readonly LockEntry[]
  /** True if the tool resolves a range again when the version of its entry does not fit it. */
  readonly passesOverUnfit: boolean
}
