import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seenOnce } from './seen-once.ts'

test('it is looked once for all that ask without waiting, and anew for who goes on after a change', async () => {
  let found = 1
  let looks = 0
  const see = seenOnce(() => {
    looks++
    return found
  })
  assert.deepEqual([see(), see()], [1, 1])
  assert.equal(looks, 1)
  const changed = Promise.resolve().then(() => {
    found = 2
  })
  await changed
  assert.equal(see(), 2)
  await new Promise(setImmediate)
  found = 3
  assert.equal(see(), 3)
})
