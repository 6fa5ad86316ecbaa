import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTimeOrderedIds } from './time-ordered-id.ts'

test('time-ordered ids: sort in creation order, also within a millisecond', () => {
  const newId = createTimeOrderedIds()
  const ids = [1, 1, 1, 2, 2, 1_763_700_000_000].map(newId)
  const many = Array.from({ length: 20_000 }, () => newId(1_763_700_000_000))
  const all = [...ids, ...many]
  assert.deepEqual(all.toSorted(), all)
  assert.equal(new Set(all).size, all.length)
})

test('time-ordered ids: stay ordered when the clock goes back', () => {
  const newId = createTimeOrderedIds()
  const [first, , second] = [5, 4, 5].map(newId)
  assert.ok(first! < second!)
})

test('time-ordered ids: are UUIDs of version 7 that begin with their time', () => {
  const id = createTimeOrderedIds()(0x0123456789ab)
  assert.match(id, /^01234567-89ab-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
})
