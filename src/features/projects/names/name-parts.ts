import { lowerAscii } from '#foundation/db/text-match.ts'

/** Characters of a stored part. Longer words are found by one part of them and compared with the name. */
export const PART_LENGTH = 8

/** Returns the suffixes of a name, case-folded and cut to `PART_LENGTH`. */
export function partsOf(name: string): string[] {
  const characters = [...lowerAscii(name)]
  return [...new Set(characters.map((_, at) => characters.slice(at, at + PART_LENGTH).join('')))]
}

/** Returns prefixes such that every name with the word has a part that begins with each of them. */
export function prefixesOf(word: string): string[] {
  const characters = [...lowerAscii(word)]
  const last = Math.max(0, characters.length - PART_LENGTH)
  const starts = Array.from({ length: Math.ceil(last / PART_LENGTH) }, (_, n) => n * PART_LENGTH)
  return [...starts, last].map((at) => characters.slice(at, at + PART_LENGTH).join(''))
}
