import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEntryPath } from './entry-path.ts'

test('entry path: plain UTF-8 paths are kept; others are escaped, shortened and marked as odd', () => {
  const cases: [bytes: Buffer | string, path: string, isOdd: boolean][] = [
    ['a/b.txt', 'a/b.txt', false],
    ['größe/ü', 'größe/ü', false],
    ['a//b', 'a//b', true],
    ['../a', '../a', true],
    ['/a', '/a', true],
    ['a\nb', 'a\\x0ab', true],
    [Buffer.from([0x61, 0xff]), 'a\\xff', true],
    ['a'.repeat(1024), 'a'.repeat(1024), false],
    ['a'.repeat(1025), `${'a'.repeat(150)}…${'a'.repeat(150)}`, true],
    ['語'.repeat(341), '語'.repeat(341), false],
    ['語'.repeat(342), `${'語'.repeat(150)}…${'語'.repeat(150)}`, true],
  ]
  for (const [bytes, path, isOdd] of cases)
    assert.deepEqual(readEntryPath(Buffer.from(bytes as string)), { path, isOdd })
})
