import { randomBytes } from 'node:crypto'

const MAX_COUNT = 2 ** 26 - 1

/**
 * Ids that sort as text in the order they were made: UUID version 7 (RFC 9562 §5.7) with a 26-bit counter behind the
 * milliseconds (§6.2, method 1), so that what one process does within a millisecond keeps its order.
 */
export function createTimeOrderedIds(): (at: number) => string {
  let last = -1
  let count = 0
  return (at) => {
    // Also when the clock went back: an order once given is kept.
    count = at > last || count === MAX_COUNT ? 0 : count + 1
    last = Math.max(last, at)
    return format(at, count)
  }
}

function format(at: number, count: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(at, 0, 6)
  bytes.writeUInt16BE(0x7000 | (count >>> 14), 6)
  bytes.writeUInt16BE(0x8000 | (count & 0x3fff), 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
