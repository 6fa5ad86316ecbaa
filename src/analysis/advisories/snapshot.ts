import type { Registry } from '../ecosystems/ecosystem.ts'
import type { KnownExploited } from './known-exploited.ts'

/** What a snapshot says of itself. */
export interface SnapshotHeader {
  /** Version of the file layout. */
  readonly format: number
  /** SHA-256 of the file, hex: the snapshot's name everywhere. */
  readonly digest: string
  /** Epoch milliseconds at which it was built. */
  readonly builtAt: number
  /** Where the records came from, as people should read it; never with credentials. */
  readonly source: string
  /** True for the small set that comes with the product. */
  readonly isStarterSet: boolean
  /** Undefined when no such list is configured. */
  readonly knownExploited?: KnownExploited
  /** See borrowed-ratings.ts; undefined in files of earlier versions. */
  readonly ratedElsewhere?: Readonly<Record<string, readonly string[]>>
  readonly registries: Readonly<
    Partial<Record<Registry, { readonly records: number; readonly packages: number; readonly newestModified: string }>>
  >
}

/** One vulnerability of one package version; several records when databases describe the same one. */
export interface AdvisoryMatch {
  /** Number of the record that speaks for the vulnerability. */
  readonly record: number
  /** Numbers of the other records of the same vulnerability (aliases). */
  readonly others: readonly number[]
}

/** Advisories, compiled for matching. Immutable; several threads may share one buffer. */
export interface AdvisorySnapshot {
  readonly header: SnapshotHeader
  /** What is known against this version, ordered by the id of the speaking record. */
  affecting(registry: Registry, name: string, version: string): AdvisoryMatch[]
  /** What is known against some version of it, in the same order. */
  against(registry: Registry, name: string): AdvisoryMatch[]
}
