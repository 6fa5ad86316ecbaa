import { findEnd, LOCAL_BYTES, listEntries, type Part, readEntry, type ZipEntry } from './zip-files.ts'

/** The content of a wheel's end, or of a part requested after it. */
export type WheelPart =
  | { readonly text: string }
  /** The byte range that is needed next: of the list of content, or, with `entry`, of the metadata. */
  | { readonly from: number; readonly to: number; readonly entry?: ZipEntry }
  | { readonly fault: string }

const LOCAL_EXTRA_BYTES = 4_096
const MAX_METADATA_BYTES = 8 * 1024 * 1024
const BEFORE_DIRECTORY_BYTES = 64 * 1024

/**
 * Finds `….dist-info/METADATA` in the end of a wheel: a zip archive lists its content at its end, and PEP 427
 * recommends that the metadata be there, too.
 */
export function readWheelEnd(part: Part): WheelPart {
  const end = findEnd(part)
  if (end === undefined) return { fault: 'no zip archive' }
  const from = end.offset - part.start
  if (from < 0 && part.start === 0) return { fault: 'no zip archive' }
  if (from < 0) return { from: Math.max(0, end.offset - BEFORE_DIRECTORY_BYTES), to: part.total }
  const entries = listEntries(part.bytes.subarray(from, from + end.size))
  const entry = entries.find(({ name }) => /^[^/]+\.dist-info\/METADATA$/.test(name))
  return entry === undefined ? { fault: 'no metadata' } : readWheelEntry(part, entry)
}

/** Reads the metadata at its known position. */
export function readWheelEntry(part: Part, entry: ZipEntry): WheelPart {
  const { size, offset } = entry
  if (size > MAX_METADATA_BYTES) return { fault: 'metadata that is too large' }
  const to = Math.min(part.total, offset + LOCAL_BYTES + LOCAL_EXTRA_BYTES + size)
  if (offset < part.start) return { from: offset, to, entry }
  const text = readEntry(part, entry)
  return text === undefined ? { fault: 'metadata that cannot be unpacked' } : { text }
}
