import type { Db } from '#foundation/db/database.ts'
import { findPart, type StoredSnapshot } from './store.ts'

/** Number of 1 MB parts requested at a time: the database reads the next ones while one is written. */
const AHEAD = 3

/** Yields the parts of a stored snapshot in order. `missing` waits for an absent part, or throws. */
export async function* readParts(
  db: Db,
  { digest, sizeBytes }: Pick<StoredSnapshot, 'digest' | 'sizeBytes'>,
  missing: (n: number) => Promise<Uint8Array> | Uint8Array,
): AsyncGenerator<Uint8Array> {
  const ahead: Promise<Uint8Array | undefined>[] = []
  for (let n = 0, read = 0; read < sizeBytes; n++) {
    while (ahead.length < AHEAD) {
      const pending = findPart(db, digest, n + ahead.length)
      // The error is handled where the part is awaited.
      pending.catch(() => {})
      ahead.push(pending)
    }
    let bytes = await ahead.shift()
    if (!bytes) {
      bytes = await missing(n)
      // They were requested before this part was stored.
      ahead.length = 0
    }
    yield bytes
    read += bytes.length
  }
}
