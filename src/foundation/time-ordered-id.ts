import { randomUUID } from 'node:crypto'

const MAX_COUNT = 2 ** 26 - 1

/**
 * Returns a generator of ids that sort as text in creation order: UUID version 7 (RFC 9562 §5.7) with a 26-bit counter
 * after the milliseconds (§6.2, method 1) to keep the order within one process and millisecond.
 */
export function createTimeOrderedIds(): (at: number) => string {
  let last = -1
  let count = 0
  return (at) => {
    // Also if the clock was set back: ids never decrease.
    count = at > last || count === MAX_COUNT ? 0 : count + 1
    last = Math.max(last, at)
    return format(at, count)
  }
}

/** The random digits are those of a random UUID, for which Node has a pool of random bytes. */
function format(at: number, count: number): string {
  const time = at.toString(16).padStart(12, '0')
  const high = (0x7000 | (count >>> 14)).toString(16)
  const low = (0x8000 | (count & 0x3fff)).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-${high}-${low}-${randomUUID().slice(24)}`
}
