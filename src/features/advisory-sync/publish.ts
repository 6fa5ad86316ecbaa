import { closeSync, openSync, readSync } from 'node:fs'
import type { Db } from '#foundation/db/database.ts'
import { BadSnapshot, openSnapshotFile, type SnapshotFile, snapshotPath } from '#scanning/advisories/snapshot-file.ts'
import { readParts } from './read-parts.ts'
import { receiveSnapshot } from './receive-snapshot.ts'
import { beginSnapshot, deleteSnapshot, insertPart, listNeedless, markReady, type StoredSnapshot } from './store.ts'

const PART_BYTES = 1024 * 1024
const KEPT_SNAPSHOTS = 2
const ABANDONED_AFTER_MS = 60 * 60 * 1000

export interface Publishing {
  readonly now: number
  onProgress?(done: number, total: number): void
}

/** Stores the file of a snapshot in the database. Other processes see it once it is complete. */
export async function publishSnapshot(db: Db, file: SnapshotFile, { now, onProgress }: Publishing): Promise<void> {
  const { path, sizeBytes } = file
  const { digest } = file.header
  if (!(await beginSnapshot(db, toStored(file), now))) return
  const fd = openSync(path, 'r')
  try {
    const part = Buffer.alloc(PART_BYTES)
    for (let n = 0, done = 0; done < sizeBytes; n++) {
      const length = readSync(fd, part, 0, Math.min(PART_BYTES, sizeBytes - done), done)
      if (length === 0) throw new BadSnapshot('the file is cut short')
      await insertPart(db, digest, { n, bytes: Uint8Array.prototype.slice.call(part, 0, length) })
      done += length
      onProgress?.(done, sizeBytes)
    }
  } finally {
    closeSync(fd)
  }
  await markReady(db, digest)
}

export function toStored({ header, records, sizeBytes }: SnapshotFile): StoredSnapshot {
  const { digest, builtAt, source, isStarterSet, exploitSources = [] } = header
  return { digest, builtAt, checkedAt: builtAt, source, isStarterSet, records, sizeBytes, exploitSources }
}

export async function pruneSnapshots(db: Db, now: number): Promise<void> {
  for (const digest of await listNeedless(db, KEPT_SNAPSHOTS, now - ABANDONED_AFTER_MS))
    await deleteSnapshot(db, digest)
}

/**
 * Returns the file of a snapshot in `dir`, copied from the database if it is missing or damaged. Throws `BadSnapshot`.
 */
export async function fetchSnapshotFile(db: Db, dir: string, stored: StoredSnapshot): Promise<SnapshotFile> {
  try {
    return openSnapshotFile(snapshotPath(dir, stored.digest), stored.digest)
  } catch {
    // The file is missing or damaged; copy it from the database.
  }
  const { digest } = stored
  const missing = (n: number) => {
    throw new BadSnapshot(`part ${n} of snapshot ${digest} is not in the database`)
  }
  return receiveSnapshot(dir, digest, readParts(db, stored, missing))
}
