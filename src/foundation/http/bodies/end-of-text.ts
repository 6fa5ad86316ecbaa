const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Each character in all four bytes of a word. */
const [QUOTES, BACKSLASHES] = [0x22222222, 0x5c5c5c5c]
/** Bytes that are read one by one: most strings in JSON are shorter. */
const FIRST_BYTES = 12

/** Bytes, and the same memory as words of four bytes, starting at the last multiple of four before them. */
export interface WordedBytes {
  readonly bytes: Uint8Array
  readonly words: Int32Array
  /** Bytes of the first word that precede the text. */
  readonly shift: number
}

export function toWorded(bytes: Uint8Array): WordedBytes {
  const shift = bytes.byteOffset & 3
  const words = new Int32Array(bytes.buffer, bytes.byteOffset - shift, (bytes.length + shift) >> 2)
  return { bytes, words, shift }
}

/**
 * Returns the position of the quote that ends a string; without one the number of bytes, plus one if the last byte
 * escapes the next.
 */
export function endOfText({ bytes, words, shift }: WordedBytes, from: number): number {
  const { length } = bytes
  let at = from
  while (at < length) {
    const stop = Math.min(length, ((at + shift + FIRST_BYTES) & ~3) - shift)
    for (; at < stop && bytes[at] !== BACKSLASH; at++) if (bytes[at] === QUOTE) return at
    if (at < stop) at += 2
    else if (stop < length) {
      let word = (at + shift) >> 2
      while (word < words.length && !hasTextSign(words[word]!)) word++
      at = word * 4 - shift
    }
  }
  return at
}

function hasTextSign(word: number): boolean {
  return hasZeroByte(word ^ QUOTES) || hasZeroByte(word ^ BACKSLASHES)
}

/** Returns true if a byte is zero: only then does subtracting one set its highest bit. */
function hasZeroByte(word: number): boolean {
  return ((word - 0x01010101) & ~word & 0x80808080) !== 0
}
