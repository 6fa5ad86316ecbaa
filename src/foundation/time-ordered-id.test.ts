import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTimeOrderedIds } from './time-ordered-id.ts'

test('ids sort in the order they were made, within a millisecond too', () => {
  const newId = createTimeOrderedIds()
  const ids = [1, 1, 1, 2, 2, 1_763_700_000_000].map(newId)
  const many = Array.from({ length: 20_000 }, () => newId(1_763_700_000_000))
  const all = [...ids, ...many]
  assert.deepEqual(all.toSorted(), all)
  assert.equal(new Set(all).size, all.length)
})

test('a clock that went back does not mix up the ids of one millisecond', () => {
  const newId = createTimeOrderedIds()
  const [first, , second] = [5, 4, 5].map(newId)
  assert.ok(first! < second!)
})

test('an id is a UUID of version 7 that begins with its time', () => {
  const id = createTimeOrderedIds()(0x0123456789ab)
  assert.match(id, /^01234567-89ab-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
})
