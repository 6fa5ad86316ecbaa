import type { ExploitData } from '#analysis/advisories/exploit-signals.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import type { OutgoingSettings } from '#foundation/outgoing/settings.ts'
import { type Archive, openArchive } from './archive.ts'
import type { OpenAdvisories } from './open-advisories.ts'
import type { SnapshotFile } from './snapshot-file.ts'
import type { AdvisorySource } from './source.ts'

export interface SyncOrder {
  /** An http(s) URL, a `file:` URL or a folder, in the layout of the public OSV export. */
  readonly from: string
  /** Registries to sync; records of others stay. */
  readonly registries: readonly Registry[]
  /** Sources of exploit data: http(s) URLs, `file:` URLs or paths. Their kind follows from their content. */
  readonly exploitSources?: readonly string[]
  /** An empty folder, which the caller removes. */
  readonly dir: string
  /** Path of the snapshot in use. */
  readonly base?: string | undefined
  readonly now: number
  readonly acceptRemovals: boolean
  readonly outgoing: OutgoingSettings
}

export interface SyncProgress {
  readonly phase: 'exploits' | 'listing' | 'fetching' | 'reading' | 'carrying' | 'compiling' | 'storing'
  readonly registry?: Registry
  readonly done: number
  readonly total?: number | undefined
  readonly unit: 'bytes' | 'records' | 'lists'
}

export interface SyncRun {
  onProgress(progress: SyncProgress): void
  readonly signal?: AbortSignal | undefined
}

/** The snapshot in use. */
export interface Held {
  readonly file: SnapshotFile
  readonly advisories: OpenAdvisories
}

export interface Reading {
  readonly order: SyncOrder
  readonly source: AdvisorySource
  readonly exploits: readonly ExploitData[]
  readonly run: SyncRun
  /** Archives opened so far. */
  readonly archives: Map<Registry, Archive>
}

/** Modification time of records in a list without times: all count as new. */
export const UNKNOWN_TIME = Number.MAX_SAFE_INTEGER

export async function fetchArchive(registry: Registry, { source, run, archives }: Reading): Promise<Archive> {
  const opened = archives.get(registry)
  if (opened) return opened
  const path = await source.fetchArchive(registry, (done, total) =>
    run.onProgress({ phase: 'fetching', registry, done, total, unit: 'bytes' }),
  )
  const archive = await openArchive(path)
  archives.set(registry, archive)
  return archive
}
