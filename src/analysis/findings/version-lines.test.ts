import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredOf, toLines } from './version-lines.ts'

const isClean = (version: string) => !version.endsWith('bad')
const lines = (current: string, newer: string[]) => toLines(current, newer, isClean).map((line) => line.join(' '))

test('version lines: the same minor version, the same major version, then each later one', () => {
  const newer = ['4.16.1', '4.16.4', '4.17.0', '4.18.0', '5.0.0', '5.1.0', '6.0.0']
  assert.deepEqual(lines('4.16.0', newer), ['4.16.1 4.16.4', '4.17.0 4.18.0', '5.0.0 5.1.0', '6.0.0'])
  assert.deepEqual(lines('v0.20.0', ['v0.20.1', 'v0.21.0', 'v1.0.0']), ['v0.20.1', 'v0.21.0', 'v1.0.0'])
  assert.deepEqual(lines('1', ['1.0.1', '1.1']), ['1.0.1 1.1'])
  assert.deepEqual(lines('4.16.0', []), [])
})

test('version lines: in a major version, those without a known vulnerability come first', () => {
  const newer = ['4.16.1-bad', '4.17.0', '4.18.0-bad', '5.0.0-bad', '6.0.0-bad', '6.1.0']
  assert.deepEqual(lines('4.16.0', newer), [
    '4.17.0',
    '4.16.1-bad',
    '4.17.0 4.18.0-bad',
    '5.0.0-bad',
    '6.1.0',
    '6.0.0-bad 6.1.0',
  ])
})

test('preferred version: without a known vulnerability, but not in a new major version', () => {
  assert.equal(preferredOf('1.0', ['1.0.1-bad', '1.2', '2.0'], isClean), '1.2')
  assert.equal(preferredOf('1.0', ['1.0.1-bad', '1.2-bad', '2.0'], isClean), '1.0.1-bad')
  assert.equal(preferredOf('1.0', ['2.0-bad', '2.1', '3.0'], isClean), '2.1')
  assert.equal(preferredOf('1.0', [], isClean), undefined)
})
