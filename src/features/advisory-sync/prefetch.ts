import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#foundation/db/database.ts'
import { type SnapshotFile, snapshotPath } from '#scanning/advisories/snapshot-file.ts'
import { readParts } from './read-parts.ts'
import { receiveSnapshot } from './receive-snapshot.ts'
import { findPart, findUnready, type StoredSnapshot } from './store.ts'

/** Copies a snapshot from the database while it is being stored, so that little remains to copy at the end. */
export interface Prefetcher {
  /** Begins to copy a snapshot that is being stored, if there is one. */
  look(): Promise<void>
  /** Waits for the copy of a snapshot in progress; undefined if there is none or it failed. */
  finish(digest: string): Promise<SnapshotFile | undefined>
  close(): Promise<void>
}

/** Milliseconds to wait for the next part before abandoning the copy: the storing process may have been killed. */
const GIVE_UP_MS = 60_000
const NEXT_LOOK_MS = 20

interface Copying {
  readonly digest: string
  readonly done: Promise<SnapshotFile | undefined>
  readonly ending: AbortController
}

export function createPrefetcher(db: Db, dir: string): Prefetcher {
  let copying: Copying | undefined

  return {
    async look() {
      const stored = await findUnready(db)
      if (!stored || copying || existsSync(snapshotPath(dir, stored.digest))) return
      const ending = new AbortController()
      const done = copy(db, dir, { stored, signal: ending.signal })
        // Missing parts are fetched when the snapshot comes into use.
        .catch(() => undefined)
        .finally(() => {
          copying = undefined
        })
      copying = { digest: stored.digest, done, ending }
    },
    async finish(digest) {
      if (copying?.digest === digest) return copying.done
      copying?.ending.abort()
      return undefined
    },
    async close() {
      copying?.ending.abort()
      await copying?.done
    },
  }
}

function copy(
  db: Db,
  dir: string,
  { stored, signal }: { stored: StoredSnapshot; signal: AbortSignal },
): Promise<SnapshotFile> {
  const { digest } = stored
  const parts = readParts(db, stored, (n) => waitForPart(db, { digest, n, signal }))
  return receiveSnapshot(dir, digest, untilAborted(parts, signal))
}

async function* untilAborted<T>(parts: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const part of parts) {
    signal.throwIfAborted()
    yield part
  }
}

async function waitForPart(
  db: Db,
  { digest, n, signal }: { digest: string; n: number; signal: AbortSignal },
): Promise<Uint8Array> {
  for (let waited = 0; waited < GIVE_UP_MS; waited += NEXT_LOOK_MS) {
    signal.throwIfAborted()
    const bytes = await findPart(db, digest, n)
    if (bytes) return bytes
    await sleep(NEXT_LOOK_MS, undefined, { signal })
  }
  throw new Error('the snapshot is no longer being stored')
}
