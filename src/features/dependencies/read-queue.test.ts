import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Db } from '#foundation/db/database.ts'
import { createReadQueue } from './read-queue.ts'

describe('read queue', () => {
  /** Creates reads that the test completes; each returns its number. */
  function controlled() {
    const ends: ((failure?: Error) => void)[] = []
    const read = () => {
      const number = ends.length
      return new Promise<number>((resolve, reject) => {
        ends.push((failure) => (failure ? reject(failure) : resolve(number)))
      })
    }
    return { read, ends }
  }
  const db = {} as Db
  const settle = () => new Promise(setImmediate)

  test('read queue: callers during a run share the next run', async () => {
    const queue = createReadQueue<number>()
    const { read, ends } = controlled()
    const first = queue.read(db, 'a', read)
    const others = [1, 2, 3].map(() => queue.read(db, 'a', read))
    await settle()
    assert.equal(ends.length, 1)
    ends[0]!()
    assert.equal(await first, 0)
    await settle()
    assert.equal(ends.length, 2)
    const later = queue.read(db, 'a', read)
    ends[1]!()
    assert.deepEqual(await Promise.all(others), [1, 1, 1])
    await settle()
    ends[2]!()
    assert.equal(await later, 2)
    const alone = queue.read(db, 'a', read)
    ends[3]!()
    assert.equal(await alone, 3)
  })

  test('read queue: other keys and other databases do not wait', async () => {
    const queue = createReadQueue<number>()
    const { read, ends } = controlled()
    const all = [queue.read(db, 'a', read), queue.read(db, 'b', read), queue.read({} as Db, 'a', read)]
    assert.equal(ends.length, 3)
    for (const end of ends) end()
    assert.deepEqual(await Promise.all(all), [0, 1, 2])
  })

  test('read queue: a run after a failed run succeeds', async () => {
    const queue = createReadQueue<number>()
    const { read, ends } = controlled()
    const failing = queue.read(db, 'a', read)
    const waiting = queue.read(db, 'a', read)
    ends[0]!(new Error('not now'))
    await assert.rejects(failing, /not now/)
    await settle()
    ends[1]!()
    assert.equal(await waiting, 1)
  })
})
