import { createHash, randomUUID } from 'node:crypto'
import { ARCHIVE_FORMS, formOfStart } from '#foundation/archives/form.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import {
  type BegunArchive,
  dropAbandoned,
  dropUnfinished,
  insertArchive,
  insertPiece,
  measureArchives,
} from './archives-store.ts'
import { requireOrg } from './store.ts'

const MB = 1024 * 1024
const PIECE_BYTES = MB
const ABANDONED_AFTER_MS = 24 * 3_600_000
const START_BYTES = 512

/** Of an integration, whatever their size. */
export const MAX_ARCHIVES = 100
export const MAX_ARCHIVES_OF_ORG = 500

export interface SentArchive {
  readonly orgId: string
  readonly integrationId: string
  readonly name: string
  /** As it was announced; undefined when it was not. */
  readonly length: number | undefined
  readonly content: AsyncIterable<Buffer>
  readonly at: number
}

export interface ArchiveLimits {
  readonly archiveMb: number
  readonly archivesMb: number
}

/** What was taken in, and is not to be seen before it is completed. */
export interface ReceivedArchive {
  readonly id: string
  readonly sizeBytes: number
  readonly digest: string
}

export class NoPlaceLeft extends Problem {}

/**
 * Takes an archive in, piece after piece, each stored by itself: nobody else waits while somebody's line is slow. Its place
 * is taken before its first byte, for as much as it may become. What is too large, too much beside what is there, or no
 * archive by its beginning, is refused and leaves nothing behind.
 */
export async function receiveArchive(db: Db, sent: SentArchive, limits: ArchiveLimits): Promise<ReceivedArchive> {
  const id = randomUUID()
  const maxBytes = maxBytesOf(limits)
  if ((sent.length ?? 0) > maxBytes) throw archiveTooLarge(limits)
  await db.transaction().execute((tx) => takePlace(tx, { ...sent, id, mostBytes: sent.length ?? maxBytes }, limits))
  try {
    return { id, ...(await storePieces(db, id, { content: sent.content, limits })) }
  } catch (error) {
    await dropUnfinished(db, id)
    throw error
  }
}

/** Holds the organisation first, so that of two at once the second counts the first. */
async function takePlace(
  tx: Db,
  begun: BegunArchive & { readonly orgId: string },
  limits: ArchiveLimits,
): Promise<void> {
  const { orgId, mostBytes, at } = begun
  await requireOrg(tx, orgId)
  await dropAbandoned(tx, orgId, at - ABANDONED_AFTER_MS)
  const before = await measureArchives(tx, begun)
  const refuse = (what: string): never => {
    throw new NoPlaceLeft('conflict', `${what}; delete some first`)
  }
  if (before.ofIntegration >= MAX_ARCHIVES) refuse(`An integration keeps at most ${MAX_ARCHIVES} archives`)
  if (before.ofOrg >= MAX_ARCHIVES_OF_ORG) refuse(`An organisation keeps at most ${MAX_ARCHIVES_OF_ORG} archives`)
  const bytes = limits.archivesMb * MB
  if (before.bytesOfOrg + mostBytes > bytes)
    refuse(`The archives of an organisation take at most ${bytes} bytes together (GATEHOUSE_ARCHIVES_MB)`)
  await insertArchive(tx, begun)
}

async function storePieces(
  db: Db,
  archiveId: string,
  { content, limits }: { content: SentArchive['content']; limits: ArchiveLimits },
) {
  const maxBytes = maxBytesOf(limits)
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
    if (sizeBytes > maxBytes) throw archiveTooLarge(limits)
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

/** What an archive would be known by, without keeping it. */
export async function digestOf(content: SentArchive['content'], limits: ArchiveLimits): Promise<string> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of content) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytesOf(limits)) throw archiveTooLarge(limits)
    hash.update(chunk)
  }
  return hash.digest('hex')
}

function maxBytesOf({ archiveMb, archivesMb }: ArchiveLimits): number {
  return Math.min(archiveMb, archivesMb) * MB
}

function archiveTooLarge(limits: ArchiveLimits): Problem {
  const setting = limits.archiveMb <= limits.archivesMb ? 'GATEHOUSE_ARCHIVE_MB' : 'GATEHOUSE_ARCHIVES_MB'
  return new Problem('too-large', `The archive is larger than ${maxBytesOf(limits)} bytes (${setting})`)
}
