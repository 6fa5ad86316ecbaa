import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { type Compilation, type CompiledIndex, startCompilation } from '#analysis/advisories/compile.ts'
import type { ExploitData, ExploitSource } from '#analysis/advisories/exploit-signals.ts'
import { unpackIndex } from '#analysis/advisories/index-layout.ts'
import { schemes } from '#analysis/advisories/schemes.ts'
import type { SnapshotHeader } from '#analysis/advisories/snapshot.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { publishFile } from '#foundation/publish-file.ts'
import { detailsDictionary } from './details-dictionary.ts'
import { openFileWriter } from './file-writer.ts'

/**
 * A snapshot as a file, little-endian:
 *
 *   magic (8 bytes) | details, record after record | index | header (JSON) | trailer
 *
 * The trailer (24 bytes) contains the format, the lengths of the header and the file, and the magic again, so that a
 * truncated file is detected at once. The header contains the SHA-256 of the index and of the details; the snapshot's
 * digest is the SHA-256 of the header and so covers every byte, although opening reads only the header and the index.
 * Each record has a CRC-32 in the index, checked when it is read.
 */
const FORMAT = 3
/** Earlier formats that this version reads: 2 has no exploit data. */
const READABLE: readonly number[] = [2, FORMAT]
const MAGIC = Buffer.from('GATEADV1')
export const DETAILS_OFFSET = MAGIC.length
const TRAILER_BYTES = 24
const MAX_HEADER_BYTES = 16 * 1024 * 1024
const MAX_INDEX_BYTES = 2 ** 31 - 1

/** Thrown for a file that is not a snapshot, is incomplete, or has another digest. */
export class BadSnapshot extends Error {}

/** A record of the source that could not be used. */
export interface RejectedRecord {
  readonly id: string
  /** Epoch milliseconds from the source's list; 0 without one. */
  readonly modified: number
  readonly reason: string
}

interface Section {
  readonly offset: number
  readonly length: number
  readonly sha256: string
}

interface StoredHeader extends Omit<SnapshotHeader, 'digest'> {
  readonly records: number
  readonly rejected: readonly RejectedRecord[]
  readonly details: Section
  readonly index: Section
}

/** An open snapshot in the form passed between threads: the index is shared, the details are read from the path. */
export interface SharedSnapshot {
  readonly header: SnapshotHeader
  readonly index: SharedArrayBuffer
  readonly path: string
}

export interface SnapshotFile extends SharedSnapshot {
  readonly sizeBytes: number
  /** Number of records, including withdrawn ones. */
  readonly records: number
  readonly rejected: readonly RejectedRecord[]
}

export interface SnapshotOrigin extends Pick<SnapshotHeader, 'builtAt' | 'source' | 'isStarterSet'> {
  readonly exploits?: readonly ExploitData[]
  /** The registries whose records were all taken. Default: those of any record. */
  readonly complete?: readonly Registry[]
}

export interface WrittenSnapshot {
  readonly digest: string
  readonly path: string
  readonly sizeBytes: number
  readonly records: number
  readonly registries: SnapshotHeader['registries']
  readonly exploitSources: readonly ExploitSource[]
  readonly unreadableBounds: CompiledIndex['unreadableBounds']
}

/** Adds records; returns those that were rejected. */
export type Fill = (compilation: Compilation) => readonly RejectedRecord[] | Promise<readonly RejectedRecord[]>

/**
 * Compiles the records that `fill` adds into `<dir>/<digest>.snapshot`. The file appears complete or not at all: it is
 * written under another name, synced and renamed.
 */
export async function writeSnapshotFile(dir: string, origin: SnapshotOrigin, fill: Fill): Promise<WrittenSnapshot> {
  const { exploits = [], complete, ...stated } = origin
  const partial = partialPath(dir)
  const writer = openFileWriter(partial)
  try {
    writer.write(MAGIC)
    const detailsHash = createHash('sha256')
    const compilation = startCompilation({
      schemes,
      deflate: (bytes) => deflateRawSync(bytes, { dictionary: detailsDictionary }),
      checksum: (bytes) => crc32(bytes),
      writeDetails: (bytes) => {
        detailsHash.update(bytes)
        writer.write(bytes)
      },
    })
    const rejected = await fill(compilation)
    const exploitSources = exploits.map(({ source }) => source)
    const { index, records, ratedElsewhere, unreadableBounds, ...compiled } = compilation.finish(exploits)
    // A record of another registry may name a package of one that has none of its own.
    const registries = Object.fromEntries(
      Object.entries(compiled.registries).filter(([name]) => complete?.some((one) => one === name) !== false),
    )
    const details = {
      offset: DETAILS_OFFSET,
      length: writer.position() - DETAILS_OFFSET,
      sha256: detailsHash.digest('hex'),
    }
    const indexOffset = writer.position()
    writer.write(index)
    const header: StoredHeader = {
      format: FORMAT,
      ...stated,
      exploitSources,
      registries,
      ...(Object.keys(ratedElsewhere).length > 0 && { ratedElsewhere }),
      records,
      rejected,
      details,
      index: { offset: indexOffset, length: index.byteLength, sha256: sha256(index) },
    }
    const headerBytes = Buffer.from(JSON.stringify(header))
    if (headerBytes.length > MAX_HEADER_BYTES) throw new RangeError('the header of the snapshot is too large')
    writer.write(headerBytes)
    const sizeBytes = writer.position() + TRAILER_BYTES
    writer.write(toTrailer(headerBytes.length, sizeBytes))
    writer.finish()
    const digest = sha256(headerBytes)
    const path = snapshotPath(dir, digest)
    publishFile(partial, path)
    return { digest, path, sizeBytes, records, registries, exploitSources, unreadableBounds }
  } catch (error) {
    writer.abandon()
    throw error
  }
}

export const SNAPSHOT_SUFFIX = '.snapshot'

export function snapshotPath(dir: string, digest: string): string {
  return join(dir, `${digest}${SNAPSHOT_SUFFIX}`)
}

/** Returns a new name for a file being written, which `isPartial` recognizes. */
export function partialPath(dir: string): string {
  return join(dir, `${crypto.randomUUID()}.partial`)
}

/** Reads and verifies header and index. Throws `BadSnapshot` for any other file. */
export function openSnapshotFile(path: string, expectedDigest?: string): SnapshotFile {
  const fd = openSync(path, 'r')
  try {
    const { header, digest, sizeBytes } = readHeader(fd)
    if (expectedDigest !== undefined && digest !== expectedDigest) {
      throw new BadSnapshot(`the file is snapshot ${digest}, not ${expectedDigest}`)
    }
    const index = new SharedArrayBuffer(header.index.length)
    readInto(fd, new Uint8Array(index), header.index.offset)
    if (sha256(new Uint8Array(index)) !== header.index.sha256) throw new BadSnapshot('the index is damaged')
    if (unpackIndex(index).recordModified.length !== header.records)
      throw new BadSnapshot('the index is of another file')
    const { format, builtAt, source, isStarterSet, registries, exploitSources, ratedElsewhere } = header
    const more = { ...(exploitSources && { exploitSources }), ...(ratedElsewhere && { ratedElsewhere }) }
    return {
      header: { format, digest, builtAt, source, isStarterSet, registries, ...more },
      index,
      path,
      sizeBytes,
      records: header.records,
      rejected: header.rejected,
    }
  } finally {
    closeSync(fd)
  }
}

/** The SHA-256 of a snapshot's details, computed while its bytes were written. */
export interface DetailsHash {
  /** Returns the hash of the bytes before `end`, in hex; `read` returns bytes of the file. */
  upTo(end: number, read: (from: number, to: number) => Uint8Array): string
}

/** Verifies every byte; uses `hash` for the details instead of reading them again. */
export function verifySnapshotFile(path: string, expectedDigest: string, hash: DetailsHash): SnapshotFile {
  const file = openSnapshotFile(path, expectedDigest)
  const fd = openSync(path, 'r')
  try {
    const { offset, length, sha256 } = readHeader(fd).header.details
    const read = (from: number, to: number) => {
      const bytes = Buffer.alloc(to - from)
      readInto(fd, bytes, from)
      return bytes
    }
    if (hash.upTo(offset + length, read) !== sha256) throw new BadSnapshot('the details are damaged')
    return file
  } finally {
    closeSync(fd)
  }
}

function readHeader(fd: number): { header: StoredHeader; digest: string; sizeBytes: number } {
  const { size: sizeBytes } = fstatSync(fd)
  if (sizeBytes < MAGIC.length + TRAILER_BYTES) throw new BadSnapshot('the file is too short to be a snapshot')
  const magic = Buffer.alloc(MAGIC.length)
  readInto(fd, magic, 0)
  if (!magic.equals(MAGIC)) throw new BadSnapshot('the file is not a snapshot')
  const trailer = Buffer.alloc(TRAILER_BYTES)
  readInto(fd, trailer, sizeBytes - TRAILER_BYTES)
  const isWhole = trailer.subarray(16).equals(MAGIC) && trailer.readDoubleLE(8) === sizeBytes
  if (!isWhole) throw new BadSnapshot('the file is cut short or damaged at its end')
  const format = trailer.readUInt32LE(0)
  if (!READABLE.includes(format))
    throw new BadSnapshot(`the file has format ${format}; this version reads formats ${READABLE.join(' and ')}`)
  const length = trailer.readUInt32LE(4)
  const offset = sizeBytes - TRAILER_BYTES - length
  if (length > MAX_HEADER_BYTES || offset < MAGIC.length) throw new BadSnapshot('the header does not fit into the file')
  const bytes = Buffer.alloc(length)
  readInto(fd, bytes, offset)
  const header = parseHeader(bytes)
  if (!isLaidOut(header, offset)) throw new BadSnapshot('the sections do not fit into the file')
  return { header, digest: sha256(bytes), sizeBytes }
}

function parseHeader(bytes: Buffer): StoredHeader {
  try {
    const header = JSON.parse(bytes.toString()) as StoredHeader
    if (header.details && header.index && header.registries && Array.isArray(header.rejected)) return header
  } catch {
    // Reported below.
  }
  throw new BadSnapshot('the header is damaged')
}

function isLaidOut({ details, index }: StoredHeader, headerOffset: number): boolean {
  const numbers = [details.offset, details.length, index.offset, index.length]
  return (
    numbers.every((number) => Number.isSafeInteger(number) && number >= 0) &&
    details.offset === DETAILS_OFFSET &&
    details.offset + details.length === index.offset &&
    index.offset + index.length === headerOffset &&
    index.length <= MAX_INDEX_BYTES
  )
}

function toTrailer(headerBytes: number, sizeBytes: number): Buffer {
  const trailer = Buffer.alloc(TRAILER_BYTES)
  trailer.writeUInt32LE(FORMAT, 0)
  trailer.writeUInt32LE(headerBytes, 4)
  trailer.writeDoubleLE(sizeBytes, 8)
  MAGIC.copy(trailer, 16)
  return trailer
}

function readInto(fd: number, target: Uint8Array, position: number): void {
  for (let done = 0; done < target.length; ) {
    const count = readSync(fd, target, done, target.length - done, position + done)
    if (count === 0) throw new BadSnapshot('the file is cut short')
    done += count
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
