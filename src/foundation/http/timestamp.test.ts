import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toTimestamp } from './timestamp.ts'

const furthest = 8_640_000_000_000_000

test('every instant is written as Date writes it', () => {
  fc.assert(
    fc.property(fc.integer({ min: -furthest, max: furthest }), (epochMs) => {
      assert.equal(toTimestamp(epochMs), new Date(epochMs).toISOString())
    }),
  )
})

test('so are the edges of days and what Date can hold', () => {
  for (const epochMs of [0, -1, 1, 86_399_999, 86_400_000, 951_782_399_999, 951_782_400_000, -furthest, furthest])
    assert.equal(toTimestamp(epochMs), new Date(epochMs).toISOString())
})

test('what is no instant is refused', () => {
  for (const epochMs of [Number.NaN, Infinity, furthest + 86_400_000])
    assert.throws(() => toTimestamp(epochMs), RangeError)
})
