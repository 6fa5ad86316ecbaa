import { createHash, randomUUID } from 'node:crypto'
import { ARCHIVE_FORMS, formOfStart } from '#foundation/archives/form.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import { dropAbandoned, dropUnfinished, insertArchive, insertPiece } from './archives-store.ts'

const PIECE_BYTES = 1024 * 1024
const ABANDONED_AFTER_MS = 24 * 3_600_000
const START_BYTES = 512

export interface SentArchive {
  readonly integrationId: string
  readonly name: string
  readonly content: AsyncIterable<Buffer>
  readonly maxBytes: number
  readonly at: number
}

/** What was taken in, and is not to be seen before it is completed. */
export interface ReceivedArchive {
  readonly id: string
  readonly sizeBytes: number
  readonly digest: string
}

/**
 * Takes an archive in, piece after piece, each stored by itself: nobody else waits while somebody's line is slow. What is
 * too large, or no archive by its beginning, is refused and leaves nothing behind.
 */
export async function receiveArchive(db: Db, sent: SentArchive): Promise<ReceivedArchive> {
  const id = randomUUID()
  await dropAbandoned(db, sent.integrationId, sent.at - ABANDONED_AFTER_MS)
  await insertArchive(db, { id, integrationId: sent.integrationId, name: sent.name, at: sent.at })
  try {
    return { id, ...(await storePieces(db, id, sent)) }
  } catch (error) {
    await dropUnfinished(db, id)
    throw error
  }
}

async function storePieces(db: Db, archiveId: string, { content, maxBytes }: SentArchive) {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let place = 0
  let chunks: Buffer[] = []
  let held = 0

  async function store(): Promise<void> {
    if (held === 0) return
    const piece = Buffer.concat(chunks)
    if (place === 0 && formOfStart(piece.subarray(0, START_BYTES)) === undefined)
      throw new Problem('unprocessable', `What was sent is not ${ARCHIVE_FORMS}`)
    chunks = []
    held = 0
    await insertPiece(db, { archiveId, place, content: piece })
    place++
  }

  for await (const chunk of content) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw archiveTooLarge(maxBytes)
    hash.update(chunk)
    for (let start = 0; start < chunk.length; ) {
      const part = chunk.subarray(start, start + PIECE_BYTES - held)
      chunks.push(part)
      held += part.length
      start += part.length
      if (held === PIECE_BYTES) await store()
    }
  }
  await store()
  if (place === 0) throw new Problem('unprocessable', `What was sent is not ${ARCHIVE_FORMS}: it is empty`)
  return { sizeBytes, digest: hash.digest('hex') }
}

export function archiveTooLarge(maxBytes: number): Problem {
  return new Problem('too-large', `The archive is larger than ${maxBytes} bytes (GATEHOUSE_ARCHIVE_MB)`)
}
