import { createHash, randomUUID } from 'node:crypto'
import { ARCHIVE_FORMS, formOfStart } from '#foundation/archives/form.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import type { ArchiveStorage } from './archive-storage.ts'
import { type BegunArchive, dropAbandoned, dropUnfinished, insertArchive, measureArchives } from './archives-store.ts'
import { requireOrg } from './store.ts'

const MB = 1024 * 1024
/** An upload that began longer ago counts as interrupted. */
export const ABANDONED_AFTER_MS = 24 * 3_600_000
const START_BYTES = 512

export const MAX_ARCHIVES = 100
export const MAX_ARCHIVES_OF_ORG = 500

export interface SentArchive {
  readonly orgId: string
  readonly integrationId: string
  readonly name: string
  /** The announced length; undefined if there was none. */
  readonly length: number | undefined
  readonly content: AsyncIterable<Buffer>
  readonly at: number
}

type ArchiveLimits = Pick<Services['config'], 'archiveMb' | 'archivesMb'>

/** A received archive, invisible until completed. */
export interface ReceivedArchive {
  readonly id: string
  readonly sizeBytes: number
  readonly digest: string
}

export class NoPlaceLeft extends Problem {}

/**
 * Receives an archive in pieces, each stored separately, so that a slow upload blocks no other writer. Reserves the
 * maximum size before the first byte. Refuses an upload that is too large, exceeds a total or is not an archive, and
 * leaves nothing behind.
 */
export async function receiveArchive(
  { db, storage }: { db: Db; storage: ArchiveStorage },
  sent: SentArchive,
  limits: ArchiveLimits,
): Promise<ReceivedArchive> {
  const id = randomUUID()
  const maxBytes = maxBytesOf(limits)
  if ((sent.length ?? 0) > maxBytes) throw archiveTooLarge(limits)
  const mostBytes = sent.length ?? maxBytes
  const begun = { ...sent, id, mostBytes, isInBucket: storage.isInBucket }
  await inTransaction(db, (tx) => takePlace(tx, begun, limits))
  try {
    return { id, ...(await storePieces(storage, id, { content: sent.content, mostBytes, limits })) }
  } catch (error) {
    await dropUnfinished(db, id)
    throw error
  }
}

/** Reserves space. Locks the organization first, so that concurrent uploads count each other. */
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
  if (before.ofOrg >= MAX_ARCHIVES_OF_ORG) refuse(`An organization keeps at most ${MAX_ARCHIVES_OF_ORG} archives`)
  const bytes = limits.archivesMb * MB
  if (before.bytesOfOrg + mostBytes > bytes)
    refuse(`The archives of an organization may have at most ${bytes} bytes in total`)
  await insertArchive(tx, begun)
}

async function storePieces(
  storage: ArchiveStorage,
  archiveId: string,
  { content, mostBytes, limits }: Pick<SentArchive, 'content'> & { mostBytes: number; limits: ArchiveLimits },
) {
  const maxBytes = maxBytesOf(limits)
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(Math.max(START_BYTES, Math.min(storage.pieceBytes, mostBytes)))
  let sizeBytes = 0
  let place = 0
  let buffered = 0

  async function store(): Promise<void> {
    if (buffered === 0) return
    if (place === 0 && formOfStart(piece.subarray(0, Math.min(buffered, START_BYTES))) === undefined)
      throw new Problem('unprocessable', `The file is not ${ARCHIVE_FORMS}.`)
    await storage.storePiece({ archiveId, place, content: piece.subarray(0, buffered) })
    buffered = 0
    place++
  }

  for await (const chunk of content) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw archiveTooLarge(limits)
    hash.update(chunk)
    for (let start = 0; start < chunk.length; ) {
      const copied = chunk.copy(piece, buffered, start)
      buffered += copied
      start += copied
      if (buffered === piece.length) await store()
    }
  }
  await store()
  if (place === 0) throw new Problem('unprocessable', `The archive is empty. Send ${ARCHIVE_FORMS}.`)
  return { sizeBytes, digest: hash.digest('hex') }
}

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

function maxBytesOf({ archiveMb }: ArchiveLimits): number {
  return archiveMb * MB
}

function archiveTooLarge(limits: ArchiveLimits): Problem {
  return new Problem('too-large', `The archive is larger than ${maxBytesOf(limits)} bytes (GATEHOUSE_ARCHIVE_MB)`)
}
