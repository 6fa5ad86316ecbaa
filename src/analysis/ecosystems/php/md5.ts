const SHIFTS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const
const SINES = Array.from({ length: 64 }, (_, i) => Math.floor(2 ** 32 * Math.abs(Math.sin(i + 1))))
const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]

/** Returns the MD5 of a text in hexadecimal (RFC 1321), which Web Crypto does not have. */
export function md5(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const words = new DataView(padded.buffer)
  words.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n, true)
  let state = START
  for (let block = 0; block < padded.length; block += 64) {
    const mixed = mixBlock(state, words, block)
    state = state.map((word, at) => (word + mixed[at]!) >>> 0)
  }
  return state.map((word) => toLittleEndian(word).toString(16).padStart(8, '0')).join('')
}

function mixBlock(state: readonly number[], words: DataView, block: number): readonly number[] {
  let [a, b, c, d] = state as [number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const round = i >> 4
    const [mixed, word] = [
      [(b & c) | (~b & d), i],
      [(d & b) | (~d & c), 5 * i + 1],
      [b ^ c ^ d, 3 * i + 5],
      [c ^ (b | ~d), 7 * i],
    ][round] as [number, number]
    const sum = (a + mixed + SINES[i]! + words.getUint32(block + (word % 16) * 4, true)) >>> 0
    const shift = SHIFTS[round]![i % 4]!
    const rotated = (sum << shift) | (sum >>> (32 - shift))
    ;[a, b, c, d] = [d, (b + rotated) >>> 0, b, c]
  }
  return [a, b, c, d]
}

function toLittleEndian(word: number): number {
  const view = new DataView(new ArrayBuffer(4))
  view.setUint32(0, word, true)
  return view.getUint32(0)
}
