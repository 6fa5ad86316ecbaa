import { inflateRawSync } from 'node:zlib'

/** What the end of a wheel, or a part of it that was asked for then, gives. */
export type WheelPart =
  | { readonly text: string }
  /** Another part is needed: these bytes, with the list of content or (given its entry) the metadata. */
  | { readonly from: number; readonly to: number; readonly entry?: WheelEntry }
  | { readonly fault: string }

/** Some bytes of a file, beginning at `start` of its `total`. */
export interface Part {
  readonly bytes: Buffer
  readonly start: number
  readonly total: number
}

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const LOCAL_EXTRA_BYTES = 4_096
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024
const MAX_METADATA_BYTES = 8 * 1024 * 1024
const BEFORE_DIRECTORY_BYTES = 64 * 1024

/** Where a file lies in the wheel, and how it is packed. */
export interface WheelEntry {
  readonly name: string
  readonly method: number
  readonly size: number
  readonly offset: number
}

/**
 * Finds `….dist-info/METADATA` in a wheel of which only the end is there (a zip file lists its content at its end, and
 * PEP 427 wants the metadata there, too).
 */
export function readWheelEnd(part: Part): WheelPart {
  const { bytes, start, total } = part
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end === -1 || end + END_BYTES > bytes.length || bytes.readUInt32LE(end) !== END_SIGNATURE)
    return { fault: 'no zip file' }
  const size = bytes.readUInt32LE(end + 12)
  const offset = bytes.readUInt32LE(end + 16)
  if (size > MAX_DIRECTORY_BYTES || offset + size > total) return { fault: 'a list of content that cannot be' }
  if (offset < start) {
    return start === 0
      ? { fault: 'a list of content that cannot be' }
      : { from: Math.max(0, offset - BEFORE_DIRECTORY_BYTES), to: total }
  }
  const entry = listEntries(bytes.subarray(offset - start, offset - start + size)).find(({ name }) =>
    /^[^/]+\.dist-info\/METADATA$/.test(name),
  )
  return entry === undefined ? { fault: 'no metadata' } : readWheelEntry(part, entry)
}

/** The metadata itself, once it is known where it lies. */
export function readWheelEntry({ bytes, start, total }: Part, entry: WheelEntry): WheelPart {
  const { method, size, offset } = entry
  const needed = Math.min(total, offset + LOCAL_BYTES + LOCAL_EXTRA_BYTES + size)
  if (size > MAX_METADATA_BYTES) return { fault: 'metadata that is too large' }
  if (offset < start) return { from: offset, to: needed, entry }
  const at = offset - start
  if (at + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(at) !== LOCAL_SIGNATURE) return { fault: 'no metadata' }
  const from = at + LOCAL_BYTES + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
  const packed = bytes.subarray(from, from + size)
  if (packed.length < size) return { fault: 'metadata that is cut off' }
  if (method === 0) return { text: packed.toString('utf8') }
  if (method !== 8) return { fault: 'metadata packed in an unknown way' }
  try {
    return { text: inflateRawSync(packed, { maxOutputLength: MAX_METADATA_BYTES }).toString('utf8') }
  } catch {
    return { fault: 'metadata that cannot be unpacked' }
  }
}

function listEntries(directory: Buffer): WheelEntry[] {
  const entries: WheelEntry[] = []
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
