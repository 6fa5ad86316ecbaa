import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryEngine } from '#test/servers/engines.ts'
import { openTwoConnections, type TwoConnections } from '#test/servers/two-connections.ts'
import { untilUndisturbed } from '#test/servers/until-undisturbed.ts'
import type { Db } from './database.ts'
import { createMemory } from './memory.ts'

onEveryEngine('the cache of reads', (engine) => {
  let connections: TwoConnections
  let db: Db
  before(async () => {
    connections = await openTwoConnections(engine)
    db = connections.db
  })
  after(() => connections.close())

  /** A cache and the keys it read. */
  function watched(maxWeight = 100) {
    const memory = createMemory<string>({ maxWeight, weightOf: ({ length }) => length })
    const reads: string[] = []
    const recall = (on: Db, key: string) =>
      memory.recall(on, key, () => {
        reads.push(key)
        return key
      })
    return { recall, reads }
  }

  test('one read serves until any process commits', async () => {
    for (const writer of [db, connections.other.db]) {
      const { recall, reads } = watched()
      await untilUndisturbed(engine, async () => {
        reads.splice(0)
        assert.equal(await recall(db, 'a'), 'a')
        assert.equal(await recall(db, 'a'), 'a')
        assert.ok(reads.length < 2)
      })
      reads.splice(0)
      await connections.commit(writer)
      assert.equal(await recall(db, 'a'), 'a')
      assert.deepEqual(reads, ['a'])
    }
  })

  test('a transaction reads for itself and does not change the cache', async () => {
    const { recall, reads } = watched()
    await recall(db, 'a')
    await db.transaction().execute(async (tx) => {
      await recall(tx, 'a')
      await recall(tx, 'a')
    })
    assert.deepEqual(reads, ['a', 'a', 'a'])
  })

  test('a full cache is emptied', async () => {
    await untilUndisturbed(engine, async () => {
      const { recall, reads } = watched(3)
      for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await recall(db, key)
      assert.deepEqual(reads, ['a', 'b', 'c', 'a', 'b'])
    })
  })

  test('concurrent reads of one key are one read', async () => {
    const memory = createMemory<string>({ maxWeight: 10, weightOf: () => 1 })
    await untilUndisturbed(engine, async () => {
      let reads = 0
      const read = async () => {
        reads++
        await new Promise(setImmediate)
        return 'found'
      }
      const name = `many ${Math.random()}`
      const values = await Promise.all(Array.from({ length: 5 }, () => memory.recall(db, name, read)))
      assert.deepEqual(values, Array(5).fill('found'))
      assert.equal(reads, 1)
    })
  })

  test('a key of 2,000 characters is not cached', async () => {
    const { recall, reads } = watched(10_000)
    const long = 'x'.repeat(2000)
    await recall(db, long)
    await recall(db, long)
    assert.deepEqual(reads, [long, long])
  })

  test('a failed read is repeated', async () => {
    const memory = createMemory<string>({ maxWeight: 10, weightOf: () => 1 })
    const fail = () => Promise.reject(new Error('not now'))
    await assert.rejects(async () => memory.recall(db, 'a', fail), /not now/)
    assert.equal(await memory.recall(db, 'a', () => 'found'), 'found')
  })
})
