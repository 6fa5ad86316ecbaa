import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { volume } from '#test/volume.ts'
import { endOfText, toWorded } from './end-of-text.ts'

const [QUOTE, BACKSLASH, LETTER] = [0x22, 0x5c, 0x61]

function endByteByByte(bytes: Uint8Array, from: number): number {
  let at = from
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
  return at
}

test('end of a JSON text: found as byte by byte, wherever the bytes begin and end in memory', () => {
  // Also bytes beside the signs, and those that words of four would confuse first.
  const byte = fc.constantFrom(QUOTE, BACKSLASH, BACKSLASH, 0x21, 0x23, 0x5b, 0x5d, 0, 1, 0x80, 0xff, 0xa2, 0xdc)
  const letters = fc.nat(40).map((length) => new Array<number>(length).fill(LETTER))
  const pieces = fc.array(
    fc.oneof(
      byte.map((code) => [code]),
      letters,
    ),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(pieces, fc.nat(9), fc.nat(60), (all, offset, first) => {
      const written = Uint8Array.from(all.flat())
      const memory = new Uint8Array(new ArrayBuffer(offset + written.length + 5)).fill(QUOTE)
      memory.set(written, offset)
      const bytes = memory.subarray(offset, offset + written.length)
      const from = Math.min(first, written.length)
      assert.equal(endOfText(toWorded(bytes), from), endByteByByte(bytes, from))
    }),
    { numRuns: volume(5_000) },
  )
})
