import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toUnifiedDiff } from './unified-diff.ts'

const lines = (...all: (string | number)[]) => all.map((line) => `${line}\n`).join('')

test('unified diff: added, removed and changed lines in separate hunks', () => {
  const before = lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
  const after = lines('0', 1, 2, 3, 4, 5, 6, 7, 8, 9, 'x', 11)
  assert.equal(
    toUnifiedDiff('a', before, after),
    `--- a/a\n+++ b/a\n@@ -1,3 +1,4 @@\n${lines('+0', ' 1', ' 2', ' 3')}@@ -7,6 +8,5 @@\n${lines(' 7', ' 8', ' 9', '-10', '+x', ' 11', '-12')}`,
  )
})

test('unified diff: lines without an end, and lines that have only one text', () => {
  assert.equal(
    toUnifiedDiff('a', 'x', 'x\ny\n'),
    '--- a/a\n+++ b/a\n@@ -1,1 +1,2 @@\n-x\n\\ No newline at end of file\n+x\n+y\n',
  )
})
