import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { createGzip, deflateSync } from 'node:zlib'

/** Answers instead of git: returns true when it did. */
export type HostileAnswer = (request: IncomingMessage, response: ServerResponse) => boolean

/** pkt-line (gitprotocol-common(5)). */
function packet(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as string)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}

function onBand(band: number, content: Buffer): Buffer {
  return packet(Buffer.concat([Buffer.from([band]), content]))
}

/** Sends a part again and again, as fast as it is read, until the client leaves. */
function* endless(first: Buffer, again: Buffer): Generator<Buffer> {
  yield first
  for (;;) yield again
}

/** The same with a pause after each part, so that a second of it costs little. */
async function* endlessWithPauses(first: Buffer, again: Buffer): AsyncGenerator<Buffer> {
  for (const part of endless(first, again)) {
    yield part
    await setTimeout(1)
  }
}

/** Answers fetches of protocol version 2 without end; everything before them is git's own. */
function onFetch(content: () => Iterable<Buffer> | AsyncIterable<Buffer>): () => HostileAnswer {
  return () => {
    let posts = 0
    return (request, response) => {
      if (request.method !== 'POST' || ++posts < 2) return false
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' })
      Readable.from(content())
        .on('error', () => {})
        .pipe(response)
      return true
    }
  }
}

/** Answers git's own question for references, after ours was answered well. */
function onReferences(send: (response: ServerResponse) => void): () => HostileAnswer {
  return () => (request, response) => {
    if (request.method !== 'GET' || !request.headers['user-agent']?.startsWith('git/')) return false
    response.setHeader('content-type', 'application/x-git-upload-pack-advertisement')
    send(response)
    return true
  }
}

const PACKFILE = packet('packfile\n')
const REFERENCES = packet(`${'1'.repeat(40)} refs/heads/${'a-branch-like-all'.repeat(8)}\n`)
const SERVICE = Buffer.concat([packet('# service=git-upload-pack\n'), Buffer.from('0000')])
const manyKeepAlives = Buffer.concat(Array.from({ length: 1_000 }, () => onBand(1, Buffer.alloc(0))))
const manyReferences = Buffer.concat(Array.from({ length: 500 }, () => REFERENCES))

/** The head of a pack of version 2 (gitformat-pack(5)). */
function packHeader(objects: number): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02....', 'latin1')
  header.writeUInt32BE(objects, 8)
  return header
}

/** The head of an object: its type and its size, seven bits a byte after the first four. */
function objectHead(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size % 16)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80
    bytes.push(rest % 128)
  }
  return Buffer.from(bytes)
}

const COMMIT = 1
const BLOB = 3
const noise = randomBytes(32_000)
const blob = onBand(1, Buffer.concat([objectHead(BLOB, noise.length), deflateSync(noise)]))
const HUGE_BYTES = 64 * 1024 ** 3
const zeros = deflateSync(Buffer.alloc(16 * 1024 * 1024))

const DELTA_OF_OFFSET = 6
const BASE_BYTES = 512 * 1024

/** A number of a delta: seven bits a byte, the lowest first. */
function deltaNumber(value: number): Buffer {
  const bytes = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80
    bytes.push(rest % 128)
  }
  return Buffer.from(bytes)
}

/** The distance back to a delta's base: seven bits a byte, the highest first, less one for each further byte. */
function offsetNumber(distance: number): Buffer {
  const bytes = [distance % 128]
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor(rest / 128))
    bytes.unshift(0x80 | (--rest % 128))
  return Buffer.from(bytes)
}

/** A pack of a kilobyte whose second object copies all of the first, again and again (gitformat-pack(5)). */
function packWithDelta(expandedBytes: number): Buffer {
  const base = Buffer.concat([objectHead(BLOB, BASE_BYTES), deflateSync(Buffer.alloc(BASE_BYTES))])
  // Copies from offset 0 as many bytes as the third byte of the size says: 0x080000.
  const copy = Buffer.from([0x80 | 0x40, 0x08])
  const copies = Array.from({ length: expandedBytes / BASE_BYTES }, () => copy)
  const delta = Buffer.concat([deltaNumber(BASE_BYTES), deltaNumber(expandedBytes), ...copies])
  const entry = [objectHead(DELTA_OF_OFFSET, delta.length), offsetNumber(base.length), deflateSync(delta)]
  const pack = Buffer.concat([packHeader(2), base, ...entry])
  return Buffer.concat([pack, createHash('sha1').update(pack).digest()])
}

/** Sends the beginning of a pack for the first fetch and then nothing; other requests are answered by git itself. */
export function unfinishedPack(bytes: number): { answer: HostileAnswer; readonly left: Promise<unknown> } {
  const left = Promise.withResolvers<void>()
  let posts = 0
  const answer: HostileAnswer = (request, response) => {
    if (request.method !== 'POST' || ++posts !== 2) return false
    response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' })
    response.on('close', left.resolve)
    response.write(Buffer.concat([PACKFILE, onBand(1, packHeader(1_000_000))]))
    for (let sent = 0; sent < bytes; sent += noise.length) response.write(blob)
    return true
  }
  return { answer, left: left.promise }
}

/** Answers of servers that never end, or exhaust memory. */
export const hostileGitAnswers = {
  'endless progress': onFetch(() =>
    endlessWithPauses(PACKFILE, onBand(2, Buffer.from('Counting objects: 1\r'.repeat(500)))),
  ),
  'endless keep-alives': onFetch(() => endlessWithPauses(PACKFILE, manyKeepAlives)),
  'an endless pack': onFetch(() => endless(Buffer.concat([PACKFILE, onBand(1, packHeader(1_000_000))]), blob)),
  'an object of 64 GiB by its head': onFetch(() => [
    Buffer.concat([PACKFILE, onBand(1, packHeader(1)), onBand(1, objectHead(COMMIT, HUGE_BYTES)), onBand(1, zeros)]),
  ]),
  'a delta of 2 GiB': onFetch(() => [
    Buffer.concat([PACKFILE, onBand(1, packWithDelta(2 * 1024 ** 3)), Buffer.from('0000')]),
  ]),
  'endless references': onReferences((response) => {
    Readable.from(endless(SERVICE, manyReferences))
      .on('error', () => {})
      .pipe(response)
  }),
  'endless references, compressed': onReferences((response) => {
    response.setHeader('content-encoding', 'gzip')
    Readable.from(endless(SERVICE, manyReferences))
      .on('error', () => {})
      .pipe(createGzip())
      .pipe(response)
  }),
} as const
