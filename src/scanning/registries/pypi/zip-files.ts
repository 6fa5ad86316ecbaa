import { inflateRawSync } from 'node:zlib'
import type { ArchivedFile } from './archived-file.ts'

/** The position of a file in a zip archive, and its compression. */
export interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly size: number
  readonly offset: number
}

/** The position of the list of content at the end of an archive. */
export interface ZipEnd {
  readonly size: number
  readonly offset: number
}

/** A part of a file of `total` bytes, beginning at `start`. */
export interface Part {
  readonly bytes: Buffer
  readonly start: number
  readonly total: number
}

/** Size of the header of a packed file, without its name and extra fields. */
export const LOCAL_BYTES = 30

const END_BYTES = 22
const ENTRY_BYTES = 46
const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024
const MAX_FILE_BYTES = 8 * 1024 * 1024

/**
 * Finds the end record of a zip archive (APPNOTE 4.3.16) in its last bytes; returns undefined if there is no valid one.
 */
export function findEnd({ bytes, total }: Part): ZipEnd | undefined {
  const at = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (at === -1 || at + END_BYTES > bytes.length) return undefined
  const size = bytes.readUInt32LE(at + 12)
  const offset = bytes.readUInt32LE(at + 16)
  return size > MAX_DIRECTORY_BYTES || offset + size > total ? undefined : { size, offset }
}

/** Parses the list of content (APPNOTE 4.3.12). */
export function listEntries(directory: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = []
  for (let at = 0; at + ENTRY_BYTES <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE; ) {
    const nameEnd = at + ENTRY_BYTES + directory.readUInt16LE(at + 28)
    entries.push({
      name: directory.toString('utf8', at + ENTRY_BYTES, nameEnd),
      method: directory.readUInt16LE(at + 10),
      size: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    })
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return entries
}

/** Returns the text of a packed file; undefined if it is incomplete or cannot be unpacked. */
export function readEntry({ bytes, start }: Part, { method, size, offset }: ZipEntry): string | undefined {
  const at = offset - start
  if (at < 0 || at + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(at) !== LOCAL_SIGNATURE) return undefined
  const from = at + LOCAL_BYTES + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
  const packed = bytes.subarray(from, from + size)
  if (packed.length < size) return undefined
  if (method === 0) return packed.toString('utf8', 0, MAX_FILE_BYTES)
  if (method !== 8) return undefined
  try {
    return inflateRawSync(packed, { maxOutputLength: MAX_FILE_BYTES }).toString('utf8')
  } catch {
    return undefined
  }
}

/** Returns the files of a whole archive. */
export function filesOfZip(bytes: Buffer): ArchivedFile[] {
  const part = { bytes, start: 0, total: bytes.length }
  const end = findEnd(part)
  if (end === undefined) return []
  return listEntries(bytes.subarray(end.offset, end.offset + end.size)).map((entry) => ({
    parts: entry.name.split('/'),
    read: () => readEntry(part, entry) ?? '',
  }))
}
