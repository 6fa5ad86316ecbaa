import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toTimestamp } from './timestamp.ts'

const furthest = 8_640_000_000_000_000

test('toTimestamp: formats random instants like Date.prototype.toISOString', () => {
  fc.assert(
    fc.property(fc.integer({ min: -furthest, max: furthest }), (epochMs) => {
      assert.equal(toTimestamp(epochMs), new Date(epochMs).toISOString())
    }),
  )
})

test("toTimestamp: formats edges of days and of Date's range like toISOString", () => {
  for (const epochMs of [0, -1, 1, 86_399_999, 86_400_000, 951_782_399_999, 951_782_400_000, -furthest, furthest])
    assert.equal(toTimestamp(epochMs), new Date(epochMs).toISOString())
})

test('toTimestamp: throws RangeError for NaN, Infinity and instants out of range', () => {
  for (const epochMs of [Number.NaN, Infinity, furthest + 86_400_000])
    assert.throws(() => toTimestamp(epochMs), RangeError)
})
