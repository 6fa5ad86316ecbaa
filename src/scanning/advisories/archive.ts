import { closeSync, openSync, readSync } from 'node:fs'
import { crc32, inflateRawSync } from 'node:zlib'
import yauzl from 'yauzl'
import { SyncFailed } from './sync-failed.ts'

export interface ArchiveLimits {
  readonly entries: number
  /** Bytes of one unpacked entry. */
  readonly entryBytes: number
  /** Bytes of all unpacked entries. */
  readonly totalBytes: number
  /** Unpacked to packed, for entries beyond a megabyte. */
  readonly ratio: number
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  entries: 3_000_000,
  entryBytes: 16 * 1024 * 1024,
  totalBytes: 64 * 1024 * 1024 * 1024,
  ratio: 300,
}

/** One record's file, or why it was not unpacked. */
export type ArchiveEntry = { readonly id: string } & ({ readonly text: string } | { readonly rejected: string })

export interface Archive {
  /** Ids of the records in the archive. */
  readonly ids: readonly string[]
  /** Unpacks the included entries one by one. Throws `SyncFailed` if the archive is damaged. */
  entries(isIncluded: (id: string) => boolean): Generator<ArchiveEntry>
  close(): void
}

interface EntryLocation {
  readonly id: string
  readonly headerStart: number
  readonly packedBytes: number
  readonly bytes: number
  readonly crc32: number
  readonly method: number
  readonly isEncrypted: boolean
}

const LOCAL_HEADER_BYTES = 30
const UNTIL_RATIO_COUNTS = 1024 * 1024

/**
 * Opens an archive of `<id>.json` files. yauzl reads the directory; each entry is read in one piece, which is many
 * times as fast as a stream. Names never become paths.
 */
export async function openArchive(path: string, limits: ArchiveLimits = ARCHIVE_LIMITS): Promise<Archive> {
  const places = await readDirectory(path, limits).catch((error: unknown) => {
    throw error instanceof SyncFailed ? error : damaged(path, error)
  })
  const total = places.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total > limits.totalBytes) throw new SyncFailed(`${path}: unpacks to more than ${limits.totalBytes} bytes`)
  const fd = openSync(path, 'r')

  function* entries(isIncluded: (id: string) => boolean): Generator<ArchiveEntry> {
    for (const place of places) {
      if (!isIncluded(place.id)) continue
      const rejected = refusal(place, limits)
      yield rejected === undefined ? { id: place.id, text: unpack(fd, place) } : { id: place.id, rejected }
    }
  }

  function unpack(from: number, place: EntryLocation): string {
    try {
      return unpackEntry(from, place)
    } catch (error) {
      throw damaged(path, error)
    }
  }

  return { ids: places.map(({ id }) => id), entries, close: () => closeSync(fd) }
}

async function readDirectory(path: string, limits: ArchiveLimits): Promise<EntryLocation[]> {
  const directory = await yauzl.openPromise(path)
  if (directory.entryCount > limits.entries) {
    directory.close()
    throw new SyncFailed(`${path}: has ${directory.entryCount} entries, more than ${limits.entries}`)
  }
  const places: EntryLocation[] = []
  for await (const entry of directory.eachEntry()) {
    const id = idOf(entry.fileName)
    if (id !== undefined) places.push(toPlace(id, entry))
  }
  return places
}

function toPlace(id: string, entry: yauzl.Entry): EntryLocation {
  return {
    id,
    headerStart: entry.relativeOffsetOfLocalHeader,
    packedBytes: entry.compressedSize,
    bytes: entry.uncompressedSize,
    crc32: entry.crc32,
    method: entry.compressionMethod,
    isEncrypted: entry.isEncrypted(),
  }
}

/** Returns the id in the name of an export file; undefined for other files. */
function idOf(fileName: string): string | undefined {
  return /^([^/\\]{1,128})\.json$/.exec(fileName)?.[1]
}

function refusal(
  { bytes, packedBytes, method, isEncrypted }: EntryLocation,
  limits: ArchiveLimits,
): string | undefined {
  if (isEncrypted) return 'it is encrypted'
  if (method !== 0 && method !== 8) return 'it is packed by an unknown method'
  if (bytes > limits.entryBytes) return `it unpacks to more than ${limits.entryBytes} bytes`
  if (packedBytes > limits.entryBytes) return `it is larger than ${limits.entryBytes} bytes`
  const isBomb = bytes > UNTIL_RATIO_COUNTS && bytes > packedBytes * limits.ratio
  return isBomb ? `it unpacks to more than ${limits.ratio} times its size` : undefined
}

/** Unpacks an entry and verifies the size and checksum of the directory. */
function unpackEntry(fd: number, place: EntryLocation): string {
  const header = readAt(fd, place.headerStart, LOCAL_HEADER_BYTES)
  if (header.readUInt32LE(0) !== 0x04_03_4b_50) throw new Error(`${place.id} has no local header`)
  const dataStart = place.headerStart + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
  const packed = readAt(fd, dataStart, place.packedBytes)
  const bytes = place.method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, place.bytes) })
  const isWhole = bytes.length === place.bytes && crc32(bytes) === place.crc32
  if (!isWhole) throw new Error(`${place.id} does not match its checksum`)
  return bytes.toString()
}

function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  for (let done = 0; done < length; ) {
    const count = readSync(fd, bytes, done, length - done, position + done)
    if (count === 0) throw new Error('it is cut short')
    done += count
  }
  return bytes
}

function damaged(path: string, error: unknown): SyncFailed {
  const reason = error instanceof Error ? error.message : String(error)
  return new SyncFailed(`${path}: is no readable zip archive (${reason})`, { cause: error })
}
