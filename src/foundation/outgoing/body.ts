import { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Headers } from './exchange.ts'
import { displayUrl, OutgoingFailed } from './outgoing-errors.ts'
import type { FinalAnswer } from './redirects.ts'

/** Encoded answers may exceed their decoded limit by this much on the wire. */
const CODING_OVERHEAD_BYTES = 64 * 1024

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
}

export interface BodyLimits {
  readonly maxBytes: number
  /** Called with the bytes received over the wire so far. */
  readonly onBytes?: ((receivedBytes: number) => void) | undefined
}

/**
 * Returns the steps from wire bytes to content (RFC 9110 §8.4), for `pipeline`. The limit applies to decoded bytes as
 * they appear, so that a bomb costs no more than a regular answer.
 */
export function decodingSteps(answer: FinalAnswer, { maxBytes, onBytes }: BodyLimits): Transform[] {
  const { url, headers, status } = answer
  const codings = (headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
  const declared = toDeclaredLength(headers)
  const isEmpty = declared === 0 || status === 204 || status === 304
  if (codings.length === 0 || isEmpty) {
    if (!isEmpty && declared !== undefined && declared > maxBytes) throw tooLarge(url, maxBytes)
    return [limited(maxBytes, url, onBytes)]
  }
  const decoder = codings.length === 1 ? DECODERS[codings[0]!] : undefined
  if (decoder === undefined)
    throw new OutgoingFailed('encoding', `${displayUrl(url)}: answered in a content coding that was not requested`)
  return [limited(maxBytes + CODING_OVERHEAD_BYTES, url, onBytes), decoder(), limited(maxBytes, url)]
}

/** Returns the announced length on the wire. */
export function toDeclaredLength(headers: Headers): number | undefined {
  const declared = headers['content-length']
  return declared !== undefined && /^\d{1,15}$/.test(declared) ? Number(declared) : undefined
}

function limited(maxBytes: number, url: URL, onBytes?: BodyLimits['onBytes']): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length
      if (bytes > maxBytes) return callback(tooLarge(url, maxBytes))
      onBytes?.(bytes)
      callback(null, chunk)
    },
  })
}

function tooLarge(url: URL, maxBytes: number): OutgoingFailed {
  return new OutgoingFailed('too-large', `${displayUrl(url)}: the answer is larger than ${maxBytes} bytes`)
}
