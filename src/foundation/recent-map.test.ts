import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentMap } from './recent-map.ts'

test('recent map: the least recently used values are evicted', () => {
  const map = new RecentMap<number>({ maxWeight: 32 })
  for (let n = 0; n < 16; n++) map.set(`k${n}`, n, 2)
  assert.equal(map.get('k0'), 0)
  map.set('k16', 16, 2)
  map.set('k17', 17, 1)
  const kept = Array.from({ length: 18 }, (_, n) => n).filter((n) => map.get(`k${n}`) !== undefined)
  assert.deepEqual(kept, [0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])
})

test('recent map: a new value replaces the old value and its weight', () => {
  const map = new RecentMap<number>({ maxWeight: 32 })
  for (let n = 0; n < 100; n++) map.set('one', n, 2)
  for (let n = 0; n < 15; n++) map.set(`k${n}`, n, 2)
  assert.equal(map.get('one'), 99)
})

test('recent map: a value above a sixteenth of the maximum weight is not stored, and removes the old value', () => {
  const map = new RecentMap<number>({ maxWeight: 32 })
  map.set('one', 1, 2)
  map.set('one', 2, 3)
  assert.equal(map.get('one'), undefined)
})

test('recent map: delete() and clear() free the weight', () => {
  const map = new RecentMap<number>({ maxWeight: 32 })
  const fill = () => {
    for (let n = 0; n < 16; n++) map.set(`k${n}`, n, 2)
  }
  fill()
  map.delete('k3')
  map.delete('k3')
  map.set('other', 1, 2)
  assert.equal(map.get('k0'), 0)
  map.clear()
  assert.equal(map.get('other'), undefined)
  fill()
  assert.equal(map.get('k0'), 0)
})
