import { createHash, type Hash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { publishFile } from '#foundation/publish-file.ts'
import {
  DETAILS_OFFSET,
  type DetailsHash,
  partialPath,
  type SnapshotFile,
  snapshotPath,
  verifySnapshotFile,
} from '#scanning/advisories/snapshot-file.ts'

/** Number of parts between syncs to the disk, so that little is left to sync at the end. */
const PARTS_PER_SYNC = 16

/**
 * Writes the parts of a snapshot to `<dir>/<digest>.snapshot` and verifies every byte. The file appears complete or not
 * at all. Throws `BadSnapshot`.
 */
export async function receiveSnapshot(
  dir: string,
  digest: string,
  parts: AsyncIterable<Uint8Array>,
): Promise<SnapshotFile> {
  const partial = partialPath(dir)
  try {
    const hash = createDetailsHash()
    await writeParts(partial, parts, hash)
    const file = verifySnapshotFile(partial, digest, hash)
    const path = snapshotPath(dir, digest)
    publishFile(partial, path)
    return { ...file, path }
  } finally {
    rmSync(partial, { force: true })
  }
}

async function writeParts(path: string, parts: AsyncIterable<Uint8Array>, hash: PartsHash): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    let synced = Promise.resolve()
    let count = 0
    for await (const bytes of parts) {
      hash.update(bytes)
      await file.writeFile(bytes)
      if (++count % PARTS_PER_SYNC === 0) synced = syncAfter(file, synced)
    }
    await synced
    await file.sync()
  } finally {
    await file.close()
  }
}

function syncAfter(file: FileHandle, earlier: Promise<void>): Promise<void> {
  const synced = earlier.then(() => file.datasync())
  // The caller awaits the last sync.
  synced.catch(() => {})
  return synced
}

interface PartsHash extends DetailsHash {
  update(part: Uint8Array): void
}

/**
 * Hashes the details while they arrive. They end within a part, which only the last part identifies, so the hash state
 * before each part is kept.
 */
function createDetailsHash(): PartsHash {
  const states: { readonly position: number; readonly hash: Hash }[] = []
  const hash = createHash('sha256')
  let position = 0
  return {
    update(part) {
      const skipped = Math.max(0, DETAILS_OFFSET - position)
      states.push({ position: Math.max(position, DETAILS_OFFSET), hash: hash.copy() })
      hash.update(part.subarray(skipped))
      position += part.length
    },
    upTo(end, read) {
      const state = states.findLast(({ position }) => position <= end)
      if (!state) return ''
      return state.hash.copy().update(read(state.position, end)).digest('hex')
    },
  }
}
