import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ExploitSource } from '#analysis/advisories/exploit-signals.ts'
import { registries } from '#analysis/advisories/package-names.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import type { Db } from '#foundation/db/database.ts'
import type { OutgoingSettings } from '#foundation/outgoing/settings.ts'
import { publishFile } from '#foundation/publish-file.ts'
import type { FileSync, SyncCounts } from '#scanning/advisories/build-snapshot.ts'
import { openSnapshotFile, snapshotPath, type WrittenSnapshot } from '#scanning/advisories/snapshot-file.ts'
import { SyncFailed } from '#scanning/advisories/sync-failed.ts'
import type { SyncOrder, SyncProgress } from '#scanning/advisories/sync-order.ts'
import { fetchSnapshotFile, pruneSnapshots, publishSnapshot } from './publish.ts'
import { listReadySnapshots, markChecked } from './store.ts'
import type { FromSyncThread } from './sync-thread.ts'

export interface SyncTools {
  readonly db: Db
  now(): number
}

export interface SyncSettings {
  /** An http(s) URL, a `file:` URL or a folder, in the layout of the public OSV export. */
  readonly from: string
  /** See `SyncOrder`. */
  readonly exploitSources?: readonly string[]
  /** Folder of the snapshot files. */
  readonly dir: string
  readonly outgoing: OutgoingSettings
  /** Default: all. Records of others stay. */
  readonly registries?: readonly Registry[]
  /** Accepts a source that lists far fewer records than the current snapshot. */
  readonly acceptRemovals?: boolean
  readonly signal?: AbortSignal | undefined
  onProgress?(progress: SyncProgress): void
}

export type SyncResult =
  | { readonly outcome: 'unchanged'; readonly digest: string; readonly exploitSources: readonly ExploitSource[] }
  | ({ readonly outcome: 'new' } & WrittenSnapshot & SyncCounts)

/**
 * Updates the advisories: fetches and compiles in a separate thread, so that a server stays responsive, and stores the
 * result for every process. Throws `SyncFailed` with a sentence for the operator; then nothing changed.
 */
export async function runAdvisoriesSync({ db, now }: SyncTools, settings: SyncSettings): Promise<SyncResult> {
  const { dir } = settings
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const current = await findUsable(db, dir)
  const temporary = mkdtempSync(join(dir, 'sync-'))
  try {
    const order = toOrder(settings, { dir: temporary, base: current?.path, now: now() })
    const result = await runInThread(order, settings)
    if (result.outcome === 'unchanged') {
      await markChecked(db, current!.digest, order.now)
      return { outcome: 'unchanged', digest: current!.digest, exploitSources: result.exploitSources }
    }
    const { written, counts } = result
    const path = snapshotPath(dir, written.digest)
    publishFile(written.path, path)
    await publishSnapshot(db, openSnapshotFile(path, written.digest), {
      now: now(),
      onProgress: (done, total) => settings.onProgress?.({ phase: 'storing', done, total, unit: 'bytes' }),
    })
    await pruneSnapshots(db, now())
    return { outcome: 'new', ...written, path, ...counts }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

function toOrder(settings: SyncSettings, local: Pick<SyncOrder, 'dir' | 'base' | 'now'>): SyncOrder {
  return {
    ...local,
    from: settings.from,
    exploitSources: settings.exploitSources ?? [],
    registries: settings.registries ?? registries,
    acceptRemovals: settings.acceptRemovals ?? false,
    outgoing: settings.outgoing,
  }
}

/** Returns the snapshot to update; undefined if there is no readable one, which means a full sync. */
async function findUsable(db: Db, dir: string): Promise<{ digest: string; path: string } | undefined> {
  const [row] = await listReadySnapshots(db, 1)
  if (!row || row.isStarterSet) return undefined
  try {
    const { path } = await fetchSnapshotFile(db, dir, row)
    return { digest: row.digest, path }
  } catch {
    return undefined
  }
}

function runInThread(order: SyncOrder, { signal, onProgress }: SyncSettings): Promise<FileSync> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<FileSync>()
  const thread = new Worker(new URL('./sync-thread.ts', import.meta.url), { workerData: order })
  const abort = () => reject(new SyncFailed('the sync was stopped'))
  signal?.addEventListener('abort', abort, { once: true })
  thread.on('message', (message: FromSyncThread) => {
    if (message.type === 'progress') onProgress?.(message.progress)
    else if (message.type === 'done') resolve(message.result)
    else reject(new SyncFailed(message.reason))
  })
  thread.on('error', reject)
  thread.on('exit', () => reject(new SyncFailed('the sync ended before it was done')))
  return promise.finally(async () => {
    signal?.removeEventListener('abort', abort)
    await thread.terminate()
  })
}
