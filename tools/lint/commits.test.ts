import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeMessage } from './commits.ts'

for (const [message, count] of [
  ['area: summarize\n\nbody', 0],
  ['one, two/three: need it', 0],
  ['Merge branch x', 0],
  ['summary without an area', 1],
  ['area: adds a test', 1],
  ['area: add a test.', 1],
  [`area: add ${'x'.repeat(70)}`, 1],
  ['area: add a test\nno blank line', 1],
] as const) {
  test(`commit message ${JSON.stringify(message.slice(0, 40))}: has ${count} findings`, () => {
    assert.equal(judgeMessage(message).length, count)
  })
}
