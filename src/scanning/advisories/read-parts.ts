import type { Db } from '#foundation/db/database.ts'
import { findPart, type StoredSnapshot } from './store.ts'

/** Parts of one megabyte that are asked for at a time: the database reads the next ones while one is written. */
const AHEAD = 3

/** Reads a stored snapshot from its first byte to its last. `missing` waits for a part that is not there, or throws. */
export async function* readParts(
  db: Db,
  { digest, sizeBytes }: Pick<StoredSnapshot, 'digest' | 'sizeBytes'>,
  missing: (n: number) => Promise<Uint8Array> | Uint8Array,
): AsyncGenerator<Uint8Array> {
  const ahead: Promise<Uint8Array | undefined>[] = []
  for (let n = 0, read = 0; read < sizeBytes; n++) {
    while (ahead.length < AHEAD) {
      const asked = findPart(db, digest, n + ahead.length)
      // Its reader receives the error.
      asked.catch(() => {})
      ahead.push(asked)
    }
    let bytes = await ahead.shift()
    if (!bytes) {
      bytes = await missing(n)
      // They were asked for before this one was there.
      ahead.length = 0
    }
    yield bytes
    read += bytes.length
  }
}
