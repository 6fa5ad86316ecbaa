/**
 * A natural number as decimal digits without leading zeros. Versions contain numbers of any length: digits compare in
 * linear time without loss, where `Number` rounds and `BigInt` parses in quadratic time.
 */
export type Natural = string

const ZERO = 0x30
const NINE = 0x39

export function isNumeric(text: string): boolean {
  return /^\d+$/.test(text)
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

/** Trims characters; a regular expression for trailing ones would take quadratic time. */
export function trimWhere(text: string, isSpace: (code: number) => boolean): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** Compares by code unit. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
