import { endOfDigits, type Natural } from './naturals.ts'

/**
 * A number below 2^53 made of fields, most significant first. Fields that do not fit are cut off, so a packing orders
 * like its fields or ties, never the other way round.
 */
export interface Packing {
  bits: number
  room: number
}

const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** In the order of their code units, at most fifteen. */
const USUAL_WORDS = [
  'SNAPSHOT',
  'a',
  'alpha',
  'b',
  'beta',
  'canary',
  'dev',
  'experimental',
  'next',
  'pre',
  'preview',
  'rc',
]
const WIDEST_EXACT = 9
const TOO_LARGE = 31

export function startPacking(): Packing {
  return { bits: 0, room: 53 }
}

export function packBits(packing: Packing, value: number, width: number): void {
  const fitting = Math.min(width, packing.room)
  packing.bits = packing.bits * 2 ** fitting + Math.floor(value / 2 ** (width - fitting))
  packing.room -= fitting
}

/** Packs a number; small ones take little room: five bits for the width, then the digits after the leading one. */
export function packNatural(packing: Packing, natural: Natural): void {
  if (natural.length > WIDEST_EXACT) {
    packBits(packing, TOO_LARGE, 5)
    endPacking(packing)
    return
  }
  const value = Number(natural)
  const width = 32 - Math.clz32(value)
  packBits(packing, width, 5)
  if (width > 1) packBits(packing, value - 2 ** (width - 1), width - 1)
}

/** Packs text in code-unit order; ends the packing at a character other than `-`, a digit or an ASCII letter. */
export function packText(packing: Packing, text: string): void {
  for (let i = 0; i < text.length && packing.room > 0; i++) {
    const rank = ALPHABET.indexOf(text.charAt(i)) + 1
    if (rank === 0) endPacking(packing)
    packBits(packing, rank, 6)
  }
  packBits(packing, 0, 6)
}

/** Packs identifiers of a pre-release in the order of https://semver.org section 11; none is the release itself. */
export function packPrerelease(packing: Packing, identifiers: readonly string[]): void {
  packBits(packing, identifiers.length === 0 ? 1 : 0, 1)
  for (const identifier of identifiers) {
    if (packing.room === 0) return
    const isNumber = endOfDigits(identifier, 0) === identifier.length
    packBits(packing, isNumber ? 1 : 2, 2)
    if (isNumber) packNatural(packing, identifier)
    else packWord(packing, identifier)
  }
  packBits(packing, 0, 2)
}

/**
 * Packs a word: five bits for a usual one, which leaves room for a following number; others encode their gap, then
 * themselves.
 */
function packWord(packing: Packing, word: string): void {
  const at = USUAL_WORDS.findIndex((usual) => usual >= word)
  const gap = at < 0 ? USUAL_WORDS.length : at
  const isUsual = USUAL_WORDS[gap] === word
  packBits(packing, 2 * gap + (isUsual ? 1 : 0), 5)
  if (!isUsual) packText(packing, word)
}

/** Ends the packing; all further fields are dropped. */
function endPacking(packing: Packing): void {
  packBits(packing, 0, packing.room)
}

export function toPacked(packing: Packing): number {
  endPacking(packing)
  return packing.bits
}
