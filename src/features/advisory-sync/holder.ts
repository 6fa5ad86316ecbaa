import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Services } from '#foundation/services.ts'
import type { AdvisoryHolder, Lease } from '#scanning/advisories/advisory-holder.ts'
import { type OpenAdvisories, openAdvisories } from '#scanning/advisories/open-advisories.ts'
import { openSnapshotFile, type SharedSnapshot, type SnapshotFile } from '#scanning/advisories/snapshot-file.ts'
import { writeStarterSnapshot } from '#scanning/advisories/starter-set.ts'
import { createPrefetcher } from './prefetch.ts'
import { fetchSnapshotFile, pruneSnapshots, publishSnapshot, toStored } from './publish.ts'
import { listReadySnapshots, type StoredSnapshot } from './store.ts'

export interface HolderSettings {
  /** Folder of the snapshot files, a cache of those in the database. */
  readonly dir: string
  readonly pollSeconds: number
}

interface InUse {
  readonly file: SnapshotFile
  readonly advisories: OpenAdvisories
  leases: number
  isCurrent: boolean
}

/** Milliseconds before a broken snapshot is retried, as it may have been repaired. */
const RETRY_BROKEN_MS = 5 * 60 * 1000
const STALE_FILE_MS = 24 * 60 * 60 * 1000

type Tools = Pick<Services, 'db' | 'log' | 'now'>

/**
 * Opens the newest snapshot. If the database has none, or only a starter set, stores the product's own starter set
 * first, so that a server without a network can run tests.
 */
export async function startHolder(tools: Tools, settings: HolderSettings): Promise<AdvisoryHolder> {
  const { db, log, now } = tools
  const { dir } = settings
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const opener = createOpener(tools, dir)
  const listeners = new Set<(snapshot: SharedSnapshot) => void>()
  const previous: string[] = []
  const prefetcher = createPrefetcher(db, dir)
  await storeStarterSet(tools, dir)
  await removeStaleFiles(tools, dir)
  let { inUse, stored } = await opener.openFirst()
  const { refresh, settle } = createRefresher(look)
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  async function look(): Promise<boolean> {
    const newest = await opener.findNewest()
    if (!newest || isClosed) return false
    if (newest.digest === inUse.file.header.digest) {
      stored = newest
      await prefetcher.look()
      return false
    }
    const copied = await prefetcher.finish(newest.digest)
    const opened = copied ? toInUse(copied) : await opener.open(newest)
    if (!opened) return false
    if (isClosed) {
      opened.advisories.close()
      return false
    }
    swap(opened, newest)
    return true
  }

  function swap(next: InUse, row: StoredSnapshot): void {
    const old = inUse
    inUse = next
    stored = row
    old.isCurrent = false
    for (const listener of listeners) listener(next.file)
    closeUnused(old)
    // Threads may still open the last file by name; the file before it is no longer needed.
    previous.push(old.file.path)
    while (previous.length > 1) removeFile(previous.shift()!)
    log.info(
      { digest: row.digest, records: row.records, source: row.source, builtAt: new Date(row.builtAt).toISOString() },
      'new advisories in use',
    )
  }

  function removeFile(path: string): void {
    if (path !== inUse.file.path) rmSync(path, { force: true })
  }

  function schedule(): void {
    if (isClosed) return
    timer = setTimeout(() => {
      refresh()
        .catch((err) => log.warn({ err }, 'looking for newer advisories failed'))
        .finally(schedule)
    }, settings.pollSeconds * 1000)
    timer.unref()
  }
  schedule()

  return {
    current: () => inUse.file,
    acquire: () => lease(inUse),
    facts: () => ({
      ...inUse.file.header,
      records: inUse.file.records,
      checkedAt: stored.checkedAt,
      ageSeconds: Math.max(0, Math.round((now() - stored.checkedAt) / 1000)),
    }),
    epssOf(cves) {
      const { isExploited: _, exploitedSince: __, exploitDue: ___, ...epss } = inUse.advisories.signalsOf(cves)
      return epss
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await prefetcher.close()
      await settle()
      inUse.isCurrent = false
      closeUnused(inUse)
    },
  }
}

/**
 * Runs one check at a time. A check requested during another runs after it, since the running one may have begun before
 * the caller stored a snapshot.
 */
function createRefresher(look: () => Promise<boolean>) {
  let running: Promise<boolean> | undefined
  let following: Promise<boolean> | undefined

  function refresh(): Promise<boolean> {
    if (running) {
      following ??= refreshAfter(running)
      return following
    }
    running = look().finally(() => {
      running = undefined
    })
    return running
  }

  async function refreshAfter(former: Promise<boolean>): Promise<boolean> {
    const hasSwapped = await former.catch(() => false)
    following = undefined
    return (await refresh()) || hasSwapped
  }

  return { refresh, settle: async () => void (await Promise.allSettled([following, running])) }
}

function lease(leased: InUse): Lease {
  let isReleased = false
  leased.leases += 1
  return {
    advisories: leased.advisories,
    release() {
      if (isReleased) return
      isReleased = true
      leased.leases -= 1
      closeUnused(leased)
    },
  }
}

/** Opens stored snapshots; retries a broken one only after `RETRY_BROKEN_MS`. */
function createOpener({ db, log, now }: Tools, dir: string) {
  const broken = new Map<string, number>()

  async function open(candidate: StoredSnapshot): Promise<InUse | undefined> {
    try {
      return toInUse(await fetchSnapshotFile(db, dir, candidate))
    } catch (err) {
      broken.set(candidate.digest, now())
      log.error({ err, digest: candidate.digest }, 'an advisory snapshot cannot be used')
      return undefined
    }
  }

  async function openFirst(): Promise<{ inUse: InUse; stored: StoredSnapshot }> {
    for (const stored of await listReadySnapshots(db, 3)) {
      const inUse = await open(stored)
      if (inUse) return { inUse, stored }
    }
    // No stored snapshot is usable; the starter set on the disk is.
    const file = await writeStarterFile(dir)
    return { inUse: toInUse(file), stored: toStored(file) }
  }

  async function findNewest(): Promise<StoredSnapshot | undefined> {
    const isBroken = (digest: string) => now() - (broken.get(digest) ?? Number.NEGATIVE_INFINITY) < RETRY_BROKEN_MS
    return (await listReadySnapshots(db, 3)).find(({ digest }) => !isBroken(digest))
  }

  return { open, openFirst, findNewest }
}

function toInUse(file: SnapshotFile): InUse {
  return { file, advisories: openAdvisories(file), leases: 0, isCurrent: true }
}

function closeUnused(used: InUse): void {
  if (!used.isCurrent && used.leases === 0) used.advisories.close()
}

/** Stores the starter set unless the database has a newer one or synced advisories. */
async function storeStarterSet({ db, now }: Tools, dir: string): Promise<void> {
  const [newest] = await listReadySnapshots(db, 1)
  if (newest && !newest.isStarterSet) return
  const file = await writeStarterFile(dir)
  await publishSnapshot(db, file, { now: now() })
  await pruneSnapshots(db, now())
}

async function writeStarterFile(dir: string): Promise<SnapshotFile> {
  const { digest, path } = await writeStarterSnapshot(dir)
  return openSnapshotFile(path, digest)
}

/** Removes files left by killed processes, and snapshots deleted from the database. */
async function removeStaleFiles({ db, now }: Tools, dir: string): Promise<void> {
  const kept = new Set((await listReadySnapshots(db, 10)).map(({ digest }) => `${digest}.snapshot`))
  for (const name of readdirSync(dir)) {
    if (kept.has(name) || !/^sync-|\.partial$|\.snapshot$/.test(name)) continue
    const path = join(dir, name)
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now()
    if (now() - writtenAt > STALE_FILE_MS) rmSync(path, { recursive: true, force: true })
  }
}
