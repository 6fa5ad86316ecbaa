/**
 * The part of a snapshot used for matching: little-endian typed arrays in one buffer, each aligned to eight bytes,
 * after a directory of their offsets. Opening it parses nothing, so threads share it.
 */
const sections = {
  /** Start of each record's id in `recordIds`, plus one end. Record numbers follow the order of ids. */
  recordIdStart: Uint32Array,
  /** Ids, one byte per character. */
  recordIds: Uint8Array,
  /** `modified` in epoch milliseconds. */
  recordModified: Float64Array,
  /** Offset, stored length and CRC-32 of each record's text among the details. */
  detailStart: Uint32Array,
  detailLength: Uint32Array,
  detailChecksum: Uint32Array,
  /** Packages by registry, then name: the registry's number, and the start of each name plus one end. */
  packageRegistry: Uint8Array,
  packageNameStart: Uint32Array,
  packageNames: Uint16Array,
  /** Start of each package's boundary versions (boundaries.ts), plus one end. */
  boundaryStart: Uint32Array,
  boundaryTextStart: Uint32Array,
  boundaryText: Uint16Array,
  /**
   * Start of each package's entries, plus one end. An entry is an interval of positions that a record calls affected.
   * Entries of one group are one vulnerability: adjacent, with the representative record first.
   */
  entryStart: Uint32Array,
  entryFrom: Int32Array,
  entryTo: Int32Array,
  entryRecord: Uint32Array,
  entryGroup: Uint32Array,
  /**
   * Exploit data by CVE (exploit-signals.ts): sources as bits, days since 1970 of listing and due date, EPSS and its
   * percentile multiplied by 100,000; -1 if unknown. Files of format 2 end before these sections.
   */
  signalCve: Float64Array,
  signalSources: Uint32Array,
  signalSince: Int32Array,
  signalDue: Int32Array,
  signalEpss: Int32Array,
  signalPercentile: Int32Array,
} as const

type Sections = typeof sections
export type IndexArrays = { readonly [K in keyof Sections]: Sections[K]['prototype'] }

interface View {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBufferLike, offset: number, length: number): ArrayBufferView
}

const names = Object.keys(sections) as (keyof Sections)[]
const DIRECTORY_BYTES = toDirectoryBytes(names.length)
const NAMES_OF_FORMAT_2 = names.indexOf('signalCve')

/** Thrown for bytes that are not an index of this layout. */
class BadIndex extends Error {}

export function packIndex(arrays: IndexArrays): Uint8Array<ArrayBuffer> {
  let size = DIRECTORY_BYTES
  for (const name of names) size = align(size + arrays[name].byteLength)
  const bytes = new Uint8Array(size)
  const directory = new Uint32Array(bytes.buffer, 0, 1 + names.length * 2)
  directory[0] = names.length
  let offset = DIRECTORY_BYTES
  for (const [index, name] of names.entries()) {
    const array = arrays[name]
    directory[1 + index * 2] = offset
    directory[2 + index * 2] = array.length
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset)
    offset = align(offset + array.byteLength)
  }
  return bytes
}

/** Creates views into the buffer without copying. */
export function unpackIndex(buffer: ArrayBuffer | SharedArrayBuffer): IndexArrays {
  if (new Uint8Array(new Uint16Array([1]).buffer)[0] !== 1) throw new BadIndex('this machine is not little-endian')
  if (buffer.byteLength < toDirectoryBytes(NAMES_OF_FORMAT_2)) throw new BadIndex('the index is too short')
  const [sectionCount = 0] = new Uint32Array(buffer, 0, 1)
  if (sectionCount !== names.length && sectionCount !== NAMES_OF_FORMAT_2) {
    throw new BadIndex('the index has another number of sections')
  }
  if (buffer.byteLength < toDirectoryBytes(sectionCount)) throw new BadIndex('the index is too short')
  const directory = new Uint32Array(buffer, 0, 1 + sectionCount * 2)
  const arrays = Object.fromEntries(
    names.map((name, index) => {
      const View: View = sections[name]
      if (index >= sectionCount) return [name, new View(buffer, 0, 0)]
      const offset = directory[1 + index * 2]!
      const length = directory[2 + index * 2]!
      const fits = offset % 8 === 0 && offset + length * View.BYTES_PER_ELEMENT <= buffer.byteLength
      if (!fits) throw new BadIndex(`section ${name} lies outside the index`)
      return [name, new View(buffer, offset, length)]
    }),
  ) as unknown as IndexArrays
  checkLengths(arrays)
  return arrays
}

function checkLengths(arrays: IndexArrays): void {
  const records = arrays.recordModified.length
  const packages = arrays.packageRegistry.length
  const boundaries = arrays.boundaryStart[packages] ?? 0
  const entries = arrays.entryFrom.length
  const signals = arrays.signalCve.length
  const expected: [keyof IndexArrays, number][] = [
    ['recordIdStart', records + 1],
    ['detailStart', records],
    ['detailLength', records],
    ['detailChecksum', records],
    ['packageNameStart', packages + 1],
    ['boundaryStart', packages + 1],
    ['boundaryTextStart', boundaries + 1],
    ['entryStart', packages + 1],
    ['entryTo', entries],
    ['entryRecord', entries],
    ['entryGroup', entries],
    ['signalSources', signals],
    ['signalSince', signals],
    ['signalDue', signals],
    ['signalEpss', signals],
    ['signalPercentile', signals],
  ]
  for (const [name, length] of expected) {
    if (arrays[name].length !== length)
      throw new BadIndex(`section ${name} has ${arrays[name].length} entries, not ${length}`)
  }
}

function toDirectoryBytes(sectionCount: number): number {
  return align(4 + sectionCount * 8)
}

function align(bytes: number): number {
  return (bytes + 7) & ~7
}
