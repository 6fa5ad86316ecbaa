import assert from 'node:assert/strict'
import test from 'node:test'
import { toBoundaries } from './boundaries.ts'
import { schemes } from './schemes.ts'

test('boundaries: distinct versions, oldest first, each in its shortest spelling', () => {
  const mentioned = ['1.10', '1.0.0', 'v1.0', '1.0', '1.9', '1.0.0', '1.9.dev1']
  const expected = ['1.0', '1.9.dev1', '1.9', '1.10']
  for (const order of [mentioned, mentioned.toReversed()]) {
    const { versions, positionOf } = toBoundaries(order, schemes.PyPI)
    assert.deepEqual(versions, expected)
    assert.deepEqual(['1.0', 'v1.0', '1.0.0', '1.9.dev1', '1.9', '1.10'].map(positionOf), [1, 1, 1, 3, 5, 7])
  }
})

test('boundaries: among equal spellings of one length, the alphabetically first is kept', () => {
  for (const order of [
    ['1.0.RC1', '1.0.rc1'],
    ['1.0.rc1', '1.0.RC1'],
  ]) {
    assert.deepEqual(toBoundaries(order, schemes.PyPI).versions, ['1.0.RC1'])
  }
})

test('boundaries: empty without versions', () => {
  assert.deepEqual(toBoundaries([], schemes.npm).versions, [])
})
