import { hash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { algorithmOf, type GitObject } from './loose-objects.ts'

/** An object as an entry of a pack. */
export interface PackEntry {
  readonly id: Buffer
  readonly bytes: Buffer
}

export interface PackFile {
  /** The checksum of the pack, which git uses in its file name. */
  readonly checksum: string
  readonly pack: Buffer
  readonly index: Buffer
}

const TYPES = { commit: 1, tree: 2, blob: 3, tag: 4 } as const

export function toPackEntry({ id, type, content }: GitObject): PackEntry {
  const header = entryHeader(TYPES[type], content.length)
  return { id: Buffer.from(id, 'hex'), bytes: Buffer.concat([header, deflateSync(content, { level: 1 })]) }
}

/** The type and the size of the content: four bits of the size, then seven in each byte, lowest first. */
function entryHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = size >>> 4; rest > 0; rest >>>= 7) {
    bytes[bytes.length - 1]! |= 128
    bytes.push(rest & 127)
  }
  return Buffer.from(bytes)
}

/** Creates a pack of entries with ids of one length, and its index, both of version 2 (gitformat-pack(5)). */
export function makePack(entries: readonly PackEntry[]): PackFile {
  const algorithm = algorithmOf(entries[0]!.id.length)
  const checksumOf = (bytes: Buffer) => hash(algorithm, bytes, 'buffer')
  const head = Buffer.concat([Buffer.from('PACK'), words([2, entries.length])])
  const body = Buffer.concat([head, ...entries.map(({ bytes }) => bytes)])
  const checksum = checksumOf(body)

  let offset = head.length
  const placed = entries.map(({ id, bytes }) => {
    const place = { id, crc: crc32(bytes), offset }
    offset += bytes.length
    return place
  })
  placed.sort((one, other) => Buffer.compare(one.id, other.id))
  const upTo = new Array<number>(256).fill(0)
  for (const { id } of placed) upTo[id[0]!]!++
  for (let first = 1; first < upTo.length; first++) upTo[first]! += upTo[first - 1]!
  const index = Buffer.concat([
    Buffer.from([0xff, 0x74, 0x4f, 0x63]),
    words([2, ...upTo]),
    ...placed.map(({ id }) => id),
    words(placed.map(({ crc }) => crc)),
    words(placed.map((place) => place.offset)),
    checksum,
  ])
  return {
    checksum: checksum.toString('hex'),
    pack: Buffer.concat([body, checksum]),
    index: Buffer.concat([index, checksumOf(index)]),
  }
}

/** Numbers of four bytes, highest first. */
function words(numbers: readonly number[]): Buffer {
  const buffer = Buffer.allocUnsafe(numbers.length * 4)
  for (const [at, number] of numbers.entries()) buffer.writeUInt32BE(number, at * 4)
  return buffer
}
