/**
 * A natural number as decimal digits without leading zeros. Versions contain numbers of any length: digits compare in
 * linear time without loss, where `Number` rounds and `BigInt` parses in quadratic time.
 */
export type Natural = string

const ZERO = 0x30
const NINE = 0x39

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** Returns the end of the digits that begin at `start`; `start` itself if there are none. */
export function endOfDigits(text: string, start: number): number {
  let end = start
  while (end < text.length && isDigit(text.charCodeAt(end))) end++
  return end
}

/** Normalizes digits; an empty text is zero. */
export function toNatural(digits: string): Natural {
  let start = 0
  while (start < digits.length && digits.charCodeAt(start) === ZERO) start++
  return start === digits.length ? '0' : digits.slice(start)
}

export function compareNaturals(a: Natural, b: Natural): number {
  if (a.length !== b.length) return a.length - b.length
  return compareText(a, b)
}

export function toNextNatural(natural: Natural): Natural {
  let end = natural.length
  while (end > 0 && natural.charCodeAt(end - 1) === NINE) end--
  const zeros = '0'.repeat(natural.length - end)
  if (end === 0) return `1${zeros}`
  return `${natural.slice(0, end - 1)}${Number(natural[end - 1]) + 1}${zeros}`
}

/** Compares by code unit. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
