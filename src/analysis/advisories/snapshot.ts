import type { Registry } from '#analysis/registries/registry.ts'
import type { ExploitSource } from './exploit-signals.ts'

/** Metadata of a snapshot. */
export interface SnapshotHeader {
  /** Version of the file layout. */
  readonly format: number
  /** SHA-256 of the file in hex, which identifies the snapshot. */
  readonly digest: string
  /** Build time in epoch milliseconds. */
  readonly builtAt: number
  /** The displayed source of the records, without credentials. */
  readonly source: string
  /** True for the small bundled set. */
  readonly isStarterSet: boolean
  /** Sources of exploit data in the order of their bits; undefined in files of earlier versions. */
  readonly exploitSources?: readonly ExploitSource[]
  /** See borrowed-ratings.ts; undefined in files of earlier versions. */
  readonly ratedElsewhere?: Readonly<Record<string, readonly string[]>>
  readonly registries: Readonly<
    Partial<Record<Registry, { readonly records: number; readonly packages: number; readonly newestModified: string }>>
  >
}

/** A vulnerability of one package version; several records if databases describe the same one. */
export interface AdvisoryMatch {
  /** Number of the representative record. */
  readonly record: number
  /** Numbers of the vulnerability's other records (aliases). */
  readonly others: readonly number[]
}

/** Advisories compiled for matching. Immutable; threads may share the buffer. */
export interface AdvisorySnapshot {
  readonly header: SnapshotHeader
  /** Returns known vulnerabilities of this version, ordered by the id of the representative record. */
  affecting(registry: Registry, name: string, version: string): AdvisoryMatch[]
  /** Returns known vulnerabilities of any version, in the same order. */
  against(registry: Registry, name: string): AdvisoryMatch[]
}
