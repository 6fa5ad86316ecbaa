import { Problem } from '../problem.ts'
import { type ByteReader, createByteReader } from './byte-reader.ts'

/** One member of an archive, with its original spelling. */
export interface Member {
  /** Counted from 0 over all members. */
  readonly ordinal: number
  readonly name: Buffer
  readonly kind: 'file' | 'link'
  readonly sizeBytes: number
  /** Present only for requested members. */
  readonly content: Buffer | undefined
}

/** Selects the members whose content is read, by ordinal and size. */
export type WantsContent = (ordinal: number, sizeBytes: number) => boolean

const BLOCK = 512
/** Type flags of links, devices, folders and pipes, which have no content whatever their size field says. */
const WITHOUT_CONTENT = '123456'
const MAX_EXTENSION_BYTES = 1024 * 1024

interface Header {
  readonly name: Buffer
  readonly type: string
  readonly sizeBytes: number
}

/** A header before a member that describes it: GNU long names and pax records (POSIX.1-2001, pax). */
interface Extension {
  readonly name?: Buffer
  readonly sizeBytes?: number
}

/**
 * Yields the members of a tar archive in order: ustar, pax and GNU. Skips folders, devices and sparse files. Does not
 * support multi-volume archives.
 */
export async function* readTar(chunks: AsyncIterable<Buffer>, wants: WantsContent): AsyncGenerator<Member> {
  const reader = createByteReader(chunks)
  let extension: Extension = {}
  let ordinal = 0
  for (;;) {
    const block = await reader.read(BLOCK)
    if (block.length < BLOCK) {
      if (block.length === 0) return
      throw damaged('it ends within a header')
    }
    if (block.every((byte) => byte === 0)) return
    const header = parseHeader(block)
    const next = await parseExtension(reader, header)
    if (next !== undefined) {
      extension = { ...extension, ...next }
      continue
    }
    const { name = header.name, sizeBytes = header.sizeBytes } = extension
    extension = {}
    const kind = kindOf(header.type)
    const bytes = WITHOUT_CONTENT.includes(header.type) ? 0 : sizeBytes
    const isRead = kind === 'file' && wants(ordinal, bytes)
    const content = isRead ? await reader.read(bytes) : undefined
    const passed = content?.length ?? (await reader.skip(bytes))
    if (passed < bytes) throw damaged('it ends within a file')
    await reader.skip((BLOCK - (bytes % BLOCK)) % BLOCK)
    if (kind !== undefined) yield { ordinal, name, kind, sizeBytes: bytes, content }
    ordinal++
  }
}

/** Returns true if the block begins a tar archive: its header checksum is correct. */
export function isTarHeader(block: Buffer): boolean {
  return block.length === BLOCK && checksumOf(block) === readOctal(block.subarray(148, 156))
}

function kindOf(type: string): Member['kind'] | undefined {
  if (type === '0' || type === '\0' || type === '7') return 'file'
  return type === '1' || type === '2' ? 'link' : undefined
}

function parseHeader(block: Buffer): Header {
  if (!isTarHeader(block)) throw damaged('a header does not match its checksum')
  const name = untilNul(block.subarray(0, 100))
  const isUstar = block.toString('latin1', 257, 262) === 'ustar'
  const isGnu = block.toString('latin1', 257, 265) === 'ustar  \0'
  const prefix = isUstar && !isGnu ? untilNul(block.subarray(345, 500)) : Buffer.alloc(0)
  return {
    name: prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name]),
    type: block.toString('latin1', 156, 157),
    sizeBytes: readNumber(block.subarray(124, 136)),
  }
}

async function parseExtension(reader: ByteReader, { type, sizeBytes }: Header): Promise<Extension | undefined> {
  if (!'LKxg'.includes(type)) return undefined
  if (sizeBytes > MAX_EXTENSION_BYTES) throw damaged('a name is too long')
  const content = await reader.read(sizeBytes)
  if (content.length < sizeBytes) throw damaged('it ends within a name')
  await reader.skip((BLOCK - (sizeBytes % BLOCK)) % BLOCK)
  if (type === 'L') return { name: untilNul(content) }
  return type === 'x' ? parsePax(content) : {}
}

/** Parses `<length> <key>=<value>\n` records. */
function parsePax(content: Buffer): Extension {
  const extension: { name?: Buffer; sizeBytes?: number } = {}
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(' ', at)
    const length = space === -1 ? Number.NaN : Number(content.toString('latin1', at, space))
    const equals = content.indexOf('=', space)
    const end = at + length
    if (!Number.isInteger(length) || end <= space || end > content.length || equals === -1 || equals >= end)
      throw damaged('a pax record cannot be read')
    const key = content.toString('latin1', space + 1, equals)
    const value = content.subarray(equals + 1, end - 1)
    if (key === 'path') extension.name = value
    if (key === 'size') extension.sizeBytes = toSize(Number(value.toString('latin1')))
    at = end
  }
  return extension
}

function readNumber(field: Buffer): number {
  const isBinary = (field[0]! & 0x80) !== 0
  if (!isBinary) return toSize(readOctal(field))
  // GNU tar writes a size too large for octal in base 256.
  const isNegative = (field[0]! & 0x40) !== 0
  const value = field.subarray(1).reduce((sum, byte) => sum * 256 + byte, field[0]! & 0x3f)
  return toSize(isNegative ? Number.NaN : value)
}

function readOctal(field: Buffer): number {
  const text = untilNul(field).toString('latin1').trim()
  return /^[0-7]*$/.test(text) ? Number.parseInt(text || '0', 8) : Number.NaN
}

function toSize(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw damaged('a size cannot be read')
}

function checksumOf(block: Buffer): number {
  let sum = 8 * 0x20
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += block[at]!
  return sum
}

function untilNul(field: Buffer): Buffer {
  const end = field.indexOf(0)
  return end === -1 ? field : field.subarray(0, end)
}

function damaged(why: string): Problem {
  return new Problem('repository-unreadable', `The archive is damaged: ${why}`)
}
