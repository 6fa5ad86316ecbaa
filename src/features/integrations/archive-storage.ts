import type { ObjectStore } from '#foundation/objects/object-store.ts'
import { ObjectStoreFailed } from '#foundation/objects/object-store-failure.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import type { ArchiveRow } from './archives-store.ts'
import { findPiece, insertPiece } from './archives-store.ts'
import { insertObject, listObjects } from './objects-store.ts'

const MB = 1024 * 1024

/** Stores the bytes of archives, in the database or in the object store. */
export interface ArchiveStorage {
  /** True if new archives go to the object store. */
  readonly isInBucket: boolean
  /** Size of every piece of a new archive except the last. */
  readonly pieceBytes: number
  storePiece(piece: { archiveId: string; place: number; content: Uint8Array }): Promise<void>
  /** Yields the pieces of an archive from the storage that has it. */
  readPieces(
    archive: Pick<ArchiveRow, 'id' | 'is_in_bucket'>,
    signal: AbortSignal | undefined,
  ): AsyncIterable<Uint8Array>
}

export function createArchiveStorage(
  { db, log, config, now }: Pick<Services, 'db' | 'log' | 'config' | 'now'>,
  objects: ObjectStore | undefined,
): ArchiveStorage {
  const isInBucket = objects !== undefined && config.archiveStorage === 'bucket'

  async function withStore<T>(work: (store: ObjectStore) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (objects === undefined)
      throw unavailable(
        'The archive is in an object store that this server does not use. Ask the operator to set GATEHOUSE_OBJECT_STORE.',
      )
    try {
      return await work(objects)
    } catch (err) {
      if (!(err instanceof ObjectStoreFailed)) throw err
      if (signal?.aborted) throw unavailable('Reading the archive was stopped', err)
      log.warn({ err }, 'the object store for archives failed')
      // The address and the response of the store are only for operators.
      throw unavailable('The storage for archives does not respond. Try again later.', err)
    }
  }

  return {
    isInBucket,
    pieceBytes: isInBucket ? largestPiece(config) : MB,

    async storePiece(piece) {
      if (!isInBucket) return insertPiece(db, piece)
      // Nothing is written before the check: a stored row would reserve space.
      await withStore((store) => store.check())
      const key = await insertObject(db, { ...piece, at: now() })
      await withStore((store) => store.put(key, piece.content))
    },

    async *readPieces({ id, is_in_bucket: wasInBucket }, signal) {
      if (wasInBucket === 0) return yield* piecesInDatabase(db, id)
      for (const key of await listObjects(db, id)) {
        const piece = await withStore((store) => store.get(key, signal), signal)
        if (piece === undefined) throw new Problem('repository-unreadable', 'The archive is incomplete. Send it again.')
        yield piece
      }
    },
  }
}

/** A piece counts as the body of a request; even the smallest limit allows one. */
function largestPiece({ bodiesMb, bodiesPerClientMb }: Services['config']): number {
  return Math.min(8 * MB, bodiesPerClientMb * MB, (bodiesMb * MB) / 2)
}

async function* piecesInDatabase(db: Services['db'], id: string): AsyncGenerator<Uint8Array> {
  for (let place = 0; ; place++) {
    const piece = await findPiece(db, id, place)
    if (piece === undefined) return
    yield piece
  }
}

function unavailable(message: string, cause?: unknown): Problem {
  return new Problem('unavailable', message, { headers: { 'retry-after': '10' }, cause })
}
