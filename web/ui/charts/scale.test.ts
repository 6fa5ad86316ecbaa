import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { moveApart, spreadIndices, toTicks } from './scale.ts'

describe('scales of charts', () => {
  test('ticks: whole numbers from 0, at most seven, and the last is not below the largest value', () => {
    assert.deepEqual(toTicks(0), [0, 1])
    assert.deepEqual(toTicks(3), [0, 1, 2, 3])
    assert.deepEqual(toTicks(7), [0, 2, 4, 6, 8])
    assert.deepEqual(toTicks(450), [0, 100, 200, 300, 400, 500])
    assert.deepEqual(toTicks(5339), [0, 2000, 4000, 6000])
    for (const max of [1, 2, 4, 5, 9, 10, 11, 99, 100, 101, 1_082_076]) {
      const ticks = toTicks(max)
      assert.ok(ticks.length <= 7 && ticks.at(-1)! >= max && ticks.every(Number.isInteger), `${max}: ${ticks}`)
    }
  })

  test('labels of an axis: contain the ends, and each index once', () => {
    assert.deepEqual(spreadIndices(90, 4), [0, 30, 59, 89])
    assert.deepEqual(spreadIndices(3, 8), [0, 1, 2])
    assert.deepEqual(spreadIndices(1, 4), [0])
    assert.deepEqual(spreadIndices(0, 4), [])
  })

  test('labels at the end of areas: keep their order and a gap, and stay inside', () => {
    assert.deepEqual(moveApart([10, 50, 90], { gap: 16, end: 100 }), [10, 50, 90])
    assert.deepEqual(moveApart([10, 12, 90], { gap: 16, end: 100 }), [10, 26, 90])
    assert.deepEqual(moveApart([98, 99, 100], { gap: 16, end: 100 }), [68, 84, 100])
  })
})
